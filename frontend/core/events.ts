// Event targets whose events have known details. The details are those of CustomEvent.

export interface TypedTarget<Events> {
  addEventListener<Type extends keyof Events & string>(
    type: Type,
    listener: (event: CustomEvent<Events[Type]>) => void,
    options?: AddEventListenerOptions | boolean,
  ): void
  removeEventListener<Type extends keyof Events & string>(
    type: Type,
    listener: (event: CustomEvent<Events[Type]>) => void,
    options?: EventListenerOptions | boolean,
  ): void
  dispatchEvent(event: Event): boolean
}

/** `class Store extends typedTarget<StoreEvents>()` */
export function typedTarget<Events>(): new () => TypedTarget<Events> {
  return EventTarget as new () => TypedTarget<Events>
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
