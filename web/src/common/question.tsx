// SPDX-License-Identifier: MIT
//
// A question with two answers, before something is done that cannot be taken back.

import { Dialog } from "./dialog";
import { Button } from "./parts";

export function Question(props: {
  title: string;
  text: string;
  yes: string;
  no: string;
  danger?: boolean; // something is lost by saying yes
  onYes: () => void;
  onNo: () => void;
}) {
  return (
    <Dialog
      title={props.title}
      onClose={props.onNo}
      actions={
        <>
          <Button onClick={props.onNo}>{props.no}</Button>
          <Button kind={props.danger ? "danger" : "main"} onClick={props.onYes}>
            {props.yes}
          </Button>
        </>
      }
    >
      <p>{props.text}</p>
    </Dialog>
  );
}
