// Keeps the terminal silent: tmux has already answered the queries of programs. A second answer from here
// would arrive as typed keys. Keys, pastes and clicks are not affected.
import type { IFunctionIdentifier } from '@xterm/xterm'

type Params = readonly (number | number[])[]
/** What is needed of the parser of xterm.js: a handler that returns true ends the handling. */
export interface Parser {
  registerCsiHandler(id: IFunctionIdentifier, handle: (params: Params) => boolean): unknown
  registerDcsHandler(id: IFunctionIdentifier, handle: (data: string) => boolean): unknown
  registerEscHandler(id: IFunctionIdentifier, handle: () => boolean): unknown
  registerOscHandler(command: number, handle: (data: string) => boolean): unknown
}

// xterm.js 6.0 answers the first six. The others are answered by other terminals; they are listed so that
// an update of the library does not start to answer them.
const CSI_QUERIES: IFunctionIdentifier[] = [
  { final: 'c' }, // DA1
  { prefix: '>', final: 'c' }, // DA2
  { final: 'n' }, // DSR, CPR
  { prefix: '?', final: 'n' }, // DECDSR, DECXCPR, colour scheme
  { intermediates: '$', final: 'p' }, // DECRQM, ANSI modes
  { prefix: '?', intermediates: '$', final: 'p' }, // DECRQM, private modes
  { prefix: '>', final: 'q' }, // XTVERSION
  { prefix: '=', final: 'c' }, // DA3
  { prefix: '?', final: 'u' }, // kitty keyboard flags
  { prefix: '?', final: 'S' }, // XTSMGRAPHICS
  { prefix: '?', final: 'm' }, // XTQMODKEYS
  { final: 'x' }, // DECREQTPARM
  { intermediates: '*', final: 'y' }, // DECRQCRA
  { intermediates: '$', final: 'w' }, // DECRQPSR
  { intermediates: '$', final: 'u' }, // DECRQTSR
  { intermediates: '&', final: 'u' }, // DECRQUPSS
]
const DCS_QUERIES: IFunctionIdentifier[] = [
  { intermediates: '$', final: 'q' }, // DECRQSS
  { intermediates: '+', final: 'q' }, // XTGETTCAP
]
const COLOUR_COMMANDS = [4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21]
const CLIPBOARD_COMMAND = 52
// Window operations that are queries: state, position, pixels, cells, icon title, title.
// xterm.js answers some of them if an option allows it, which we do not set.
const WINDOW_REPORTS = new Set([11, 13, 14, 15, 16, 18, 19, 20, 21])
const FOCUS_MODE = 1004
const FOCUS_REPORTS = new Set(['\x1b[I', '\x1b[O'])
// Limit for base64 text that a program may offer to the clipboard; tmux has about the same.
export const CLIPBOARD_LIMIT = 1024 * 1024

/**
 * Hooks the parser of `terminal`. `onClipboardWrite(text)` gets the text that a program offers to the
 * clipboard; nothing is written from here. Returns `isReport(data)`: whether data that the terminal is
 * about to send is its own answer.
 */
export function silenceQueries(
  { parser }: { parser: Parser },
  onClipboardWrite: (text: string) => void,
): (data: string) => boolean {
  const swallow = () => true
  for (const id of CSI_QUERIES) parser.registerCsiHandler(id, swallow)
  for (const id of DCS_QUERIES) parser.registerDcsHandler(id, swallow)
  for (const command of COLOUR_COMMANDS) parser.registerOscHandler(command, asksForColour)
  parser.registerEscHandler({ final: 'Z' }, swallow) // DECID
  parser.registerCsiHandler({ final: 't' }, ([operation]) => isWindowReport(operation))
  parser.registerOscHandler(CLIPBOARD_COMMAND, (data) => {
    const text = clipboardOffer(data)
    if (text) onClipboardWrite(text)
    return true
  })
  return muteFocusMode(parser)
}

function isWindowReport(operation: Params[number] | undefined): boolean {
  return typeof operation === 'number' && WINDOW_REPORTS.has(operation)
}

/** Colour commands take lists, and `?` anywhere in them is a query. */
export function asksForColour(data: string): boolean {
  return data.split(';').includes('?')
}

/** The text that OSC 52 wants to write; empty for a read, for invalid text and for too long text. */
export function clipboardOffer(data: string): string {
  const encoded = data.slice(data.indexOf(';') + 1)
  if (encoded === '?' || encoded.length > CLIPBOARD_LIMIT) return ''
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return ''
  }
}

/**
 * When focus reports are turned on, xterm.js reports immediately, and every snapshot turns them on
 * again. Only real focus changes may be reported.
 */
function muteFocusMode(parser: Parser): (data: string) => boolean {
  let muted = false
  parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => {
    if (params.includes(FOCUS_MODE)) {
      muted = true
      // The built-in handler reports within this task; a real focus event is another task.
      queueMicrotask(() => {
        muted = false
      })
    }
    return false
  })
  return (data) => muted && FOCUS_REPORTS.has(data)
}
