// SPDX-License-Identifier: MIT
//
// Server-sent events. The browser connects again by itself and says which event it has seen last, so that nothing is
// missed and nothing comes twice.
//
// A browser opens only six connections to a server, all of its tabs together, and each stream is one. So a tab that has
// been out of sight for a while gives its own back; when it is seen again it begins with a whole picture.

export interface Listening {
  close(): void;
}

const HIDDEN_MS_MAX = 20_000;

type Handlers<Events extends object> = { [Name in keyof Events]?: (data: Events[Name]) => void };

/** Calls a handler for each event; `lost` tells when the connection breaks (true) and when it is back (false). */
export function listen<Events extends object>(
  path: string,
  handlers: Handlers<Events>,
  lost: (isLost: boolean) => void = () => {},
): Listening {
  let source: EventSource | null = null;
  let over = false; // closed, or the server has nothing more to say
  let hidden: ReturnType<typeof setTimeout> | undefined;

  const rest = () => {
    source?.close();
    source = null;
  };
  const open = () => {
    if (over || source !== null) return;
    source = new EventSource(path);
    for (const [name, handler] of Object.entries(handlers) as [string, (data: unknown) => void][])
      source.addEventListener(name, (event) => handler(JSON.parse((event as MessageEvent<string>).data)));
    source.addEventListener("open", () => lost(false));
    source.addEventListener("error", () => lost(true));
    source.addEventListener("end", close);
  };
  const look = () => {
    clearTimeout(hidden);
    if (document.visibilityState === "visible") open();
    else hidden = setTimeout(rest, HIDDEN_MS_MAX);
  };
  const close = () => {
    over = true;
    clearTimeout(hidden);
    document.removeEventListener("visibilitychange", look);
    rest();
  };

  document.addEventListener("visibilitychange", look);
  open();
  return { close };
}
