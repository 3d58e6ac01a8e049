// SPDX-License-Identifier: MIT
//
// Everything that reaches a browser: bodies of answers and messages of event streams, as they came over the wire.

import type { BrowserContext, Page } from "playwright-core";

export interface Message {
  from: string; // the address, or the name of the event
  text: string;
}

export interface Wire {
  messages: Message[];
  settled(): Promise<void>; // every body that was begun has been read
}

const isStream = (url: string): boolean => new URL(url).pathname.endsWith("/events");

/** Must be called before the page asks for anything that matters. */
export async function tap(context: BrowserContext, page: Page): Promise<Wire> {
  const messages: Message[] = [];
  const bodies: Promise<void>[] = [];
  page.on("response", (response) => {
    const url = response.url();
    if (!new URL(url).pathname.startsWith("/api/") || isStream(url)) return;
    bodies.push(response.text().then((text) => void messages.push({ from: url, text }), () => {})); // 204 and such have none
  });
  const inside = await context.newCDPSession(page);
  await inside.send("Network.enable");
  inside.on("Network.eventSourceMessageReceived", ({ eventName, data }) => void messages.push({ from: eventName, text: data }));
  return { messages, settled: async () => void (await Promise.all(bodies)) };
}

/** An event stream as any program would read it. */
export function listenTo(url: string): { read: () => string; stop: () => void } {
  const control = new AbortController();
  let text = "";
  const follow = async () => {
    const response = await fetch(url, { signal: control.signal });
    const decoder = new TextDecoder();
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) text += decoder.decode(bytes, { stream: true });
  };
  follow().catch(() => {}); // it ends by being stopped
  return { read: () => text, stop: () => control.abort() };
}

/** The data of a stream's messages. */
export function messagesOf(stream: string): Message[] {
  const whole = stream.slice(0, stream.lastIndexOf("\n\n") + 2); // the last one may be under way
  return whole.split("\n\n").flatMap((block) => {
    const line = (name: string) => block.split("\n").find((one) => one.startsWith(`${name}: `))?.slice(name.length + 2);
    const data = line("data");
    return data === undefined ? [] : [{ from: line("event") ?? "", text: data }];
  });
}
