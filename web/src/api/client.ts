// SPDX-License-Identifier: MIT
//
// Requests to the server. A failed one becomes an ApiError with the server's message, or with advice if there is no
// message.

import type { Failure } from "./types";

export class ApiError extends Error {
  constructor(
    readonly status: number, // 0: no response
    message: string,
    readonly field?: string,
    readonly failure?: Failure, // the server's answer
  ) {
    super(message);
  }
}

async function failure(answer: Response): Promise<ApiError> {
  try {
    const body = (await answer.json()) as Failure;
    return new ApiError(answer.status, body.error, body.field, body);
  } catch {
    return new ApiError(answer.status, `${answer.status} ${answer.statusText}`);
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      keepalive: method === "DELETE", // is sent even when the page is closed
      ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(0, "offline");
  }
  if (!answer.ok) throw await failure(answer);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

export const api = {
  get: <T>(path: string): Promise<T> => ask<T>("GET", path),
  post: <T>(path: string, body: unknown = {}): Promise<T> => ask<T>("POST", path, body),
  put: <T>(path: string, body: unknown): Promise<T> => ask<T>("PUT", path, body),
  remove: (path: string): Promise<void> => ask<void>("DELETE", path),
};

/** "/api/tables/x?key=y" from parts; undefined members are left out. */
export function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
}
