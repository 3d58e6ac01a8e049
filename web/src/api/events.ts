// SPDX-License-Identifier: MIT
//
// Server-sent events. The browser reconnects automatically and sends the id of the last event, so that none is lost or
// repeated.
//
// A browser opens only six connections to a server, for all tabs together, and each stream takes one. So a tab that
// has been hidden for a while closes its stream; when it is visible again it starts with the full state.

export interface Listening {
  close(): void;
}

const HIDDEN_MS_MAX = 20_000;

type Handlers<Events extends object> = { [Name in keyof Events]?: (data: Events[Name]) => void };

/** Calls a handler for each event; `lost` is called when the connection breaks (true) and when it is back (false). */
export function listen<Events extends object>(
  path: string,
  handlers: Handlers<Events>,
  lost: (isLost: boolean) => void = () => {},
): Listening {
  let source: EventSource | null = null;
  let over = false; // closed, or ended by the server
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
