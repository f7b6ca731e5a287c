// Input that is typed while a pane is being created: held until tmux has the pane, then sent to it until its
// terminal has the focus. Pure.

// More than a person types or pastes in that time; what exceeds it is dropped.
const HELD_BYTES = 64 * 1024
// Reports of the terminal that has the focus: focus in and out, and the mouse. They belong to its program.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these reports start with ESC
const REPORT = /^\x1b\[(?:[IO]|<[\d;]+[mM]|M[\s\S]{3})$/
const encoder = new TextEncoder()
const decoder = new TextDecoder()

type Send = (pane: string, data: Uint8Array) => void

export class PendingPane {
  /** The id of the pane, once it exists. */
  pane = ''
  #held: Uint8Array[] = []
  #heldBytes = 0
  #accepts = true
  #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Whether this input is for the new pane; then it is held or sent there. */
  take(input: Uint8Array | string): boolean {
    const data = typeof input === 'string' ? encoder.encode(input) : input
    if (!this.#accepts || REPORT.test(decoder.decode(data))) return false
    if (this.pane) this.#send(this.pane, data)
    else this.#hold(data)
    return true
  }

  /** The pane exists: sends what was typed for it. */
  open(pane: string): void {
    this.pane = pane
    for (const data of this.#held.splice(0)) this.#send(pane, data)
  }

  /** The user chose another pane: later input is not for this one. */
  stop(): void {
    this.#accepts = false
  }

  #hold(data: Uint8Array): void {
    this.#heldBytes += data.length
    if (this.#heldBytes <= HELD_BYTES) this.#held.push(data)
  }
}
