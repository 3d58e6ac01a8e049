// SPDX-License-Identifier: MIT
//
// Asks for confirmation before an action that cannot be undone. The first button has the focus: if data would be lost,
// it is the one that keeps it.

import { Dialog } from "./dialog";
import { Button } from "./parts";

export function Question(props: {
  title: string;
  text: string;
  yes: string;
  no: string;
  danger?: boolean; // yes loses data
  onYes: () => void;
  onNo: () => void;
}) {
  const no = <Button onClick={props.onNo}>{props.no}</Button>;
  const yes = (
    <Button kind={props.danger ? "danger" : "main"} onClick={props.onYes}>{props.yes}</Button>
  );
  return (
    <Dialog title={props.title} onClose={props.onNo} actions={props.danger ? [no, yes] : [yes, no]}>
      <p>{props.text}</p>
    </Dialog>
  );
}
