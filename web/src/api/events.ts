// SPDX-License-Identifier: MIT
//
// Server-sent events. The browser connects again by itself and says which event it has seen last, so that nothing is
// missed and nothing comes twice.

export interface Listening {
  close(): void;
}

/** Calls a handler for each event; `lost` tells when the connection breaks (true) and when it is back (false). */
export function listen<Events extends object>(
  path: string,
  handlers: { [Name in keyof Events]?: (data: Events[Name]) => void },
  lost: (isLost: boolean) => void = () => {},
): Listening {
  const source = new EventSource(path);
  for (const [name, handler] of Object.entries(handlers) as [string, (data: unknown) => void][])
    source.addEventListener(name, (event) => handler(JSON.parse((event as MessageEvent<string>).data)));
  source.addEventListener("open", () => lost(false));
  source.addEventListener("error", () => lost(true));
  source.addEventListener("end", () => source.close()); // the server has nothing more to say
  return source;
}
