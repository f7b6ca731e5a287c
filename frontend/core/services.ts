// The services that actions and screens get (shell/main), and the types of what they take.
import type { Api } from './api'
import type { Go } from './router'
import type { Socket } from './socket'
import type { Store } from './store'
import type { WindowRow } from './workspace'

export interface Toast {
  text: string
  tone?: 'good' | 'bad'
  undo?: { title: string; run: () => unknown } | null
}

/** `text` may have several lines. */
export interface Confirmation {
  title: string
  text?: string
  verb: string
  tone?: 'danger' | 'primary'
}

/**
 * `run` is awaited before the dialog closes. If it fails, the dialog stays open and shows the error, at its
 * field if an ApiError names one.
 */
export interface Question {
  title: string
  label: string
  value?: string
  verb: string
  hint?: string
  run?: (value: string) => unknown
}

export interface FormField {
  name: string
  label: string
  value?: string
  hint?: string
  required?: boolean
  /** The field that gets the focus; without one, the first. */
  focused?: boolean
  /** Suggestions for what was typed so far; one that ends with `/` can be continued. */
  suggest?: (text: string) => Promise<readonly string[]>
}

export interface Form {
  title: string
  text?: string
  verb: string
  fields: FormField[]
  run?: (values: Record<string, string>) => unknown
}

/** Choosing it runs the action `name`. */
export interface MenuItem {
  title: string
  name: string
  args?: Record<string, unknown>
  danger?: boolean
}

/** What other folders call on the elements of the page; the rest is private to their folder. */
export interface PageElements {
  composer: HTMLElement & {
    focusSoon(): void
    attach(): void
    listen(): Promise<void>
    openHistory(): Promise<void>
  }
  dialog: HTMLElement & {
    confirm(question: Confirmation): Promise<boolean>
    ask(question: Question): Promise<string | null>
    form(form: Form): Promise<Record<string, string> | null>
  }
  keys: { open(): unknown }
  menu: HTMLElement & { openAt(opener: HTMLElement, items: readonly MenuItem[], label: string): void }
  palette: { open(): unknown }
  rail: HTMLElement & { focusFilter(): void }
  terminals: HTMLElement & {
    /** Font size in pixels, even if the window does not fit; 0: as large as fits. */
    fontSize: number
    readonly shownFontSize: number
    /** The focused terminal, and the window around it. */
    readonly terminal: (HTMLElement & { readonly selection: string; paste(text: string): void }) | null
    readonly current: (HTMLElement & { readonly window: WindowRow; fit(): boolean }) | null
    /** Changes keys that are typed into a terminal: the key row. */
    modifier: KeyModifier | null
    /** Sends a key, as the bytes of a terminal, to the focused pane. */
    sendKey(text: string): void
    /** Creates a pane in the current window; it gets the focus and all keys from now on. */
    addPane(create: () => Promise<string>): Promise<void>
    focusTerminal(): void
    find(): Promise<void>
    show(count: number): void
  }
  toasts: HTMLElement & { show(toast: Toast): void }
}

/** Applies Ctrl and Alt of the key row to input that was typed into a terminal. */
export interface KeyModifier {
  modify(data: Uint8Array): Uint8Array
}

/** What other folders call on the mobile layout (phone/phone). */
export interface MobileLayout {
  toggleKeys(): unknown
  /** Shows the reader or the terminal; without a value the other one. */
  showReader(shown?: boolean): unknown
}

export interface Services {
  store: Store
  socket: Socket
  api: Api
  go: Go
  elements: PageElements
  phone: MobileLayout
  toast(toast: Toast): void
  confirm(question: Confirmation): Promise<boolean>
  ask(question: Question): Promise<string | null>
}

/**
 * An action of the page: buttons, keys and the command palette run the same entries. An error that `run`
 * throws is shown as a toast. `hidden` keeps an action that needs arguments out of the palette.
 */
export interface Action<Args = Record<string, unknown>> {
  name: string
  title: string | ((store: Store) => string)
  keys?: string
  hidden?: boolean
  needs?(store: Store): boolean
  run(services: Services, args: Args): unknown
}
