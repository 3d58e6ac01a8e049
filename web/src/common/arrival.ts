// SPDX-License-Identifier: MIT

import { useEffect, useRef } from "preact/hooks";

/** A new place (a screen, a step) starts at its top and takes the focus; the first one does not. */
export function useArrival(place: string) {
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) {
      scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
    isFirst.current = false;
  }, [place]);
  return main;
}
