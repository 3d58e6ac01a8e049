// SPDX-License-Identifier: MIT
//
// A component that is drawn again only when one of its properties changes.

import { Component, type ComponentChild, type FunctionComponent } from "preact";

type Props = Record<string, unknown>;

export function isShallowEqual(a: object, b: object): boolean {
  const [one, other] = [a as Props, b as Props];
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}

export function memo<P extends object>(draw: (props: P) => ComponentChild): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return !isShallowEqual(this.props, next);
    }
    override render() {
      return draw(this.props);
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}
