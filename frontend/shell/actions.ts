// All actions of the page in one table: buttons, keys and the command palette run the same entries.
// `Action` in core/services says what an entry has. An error that `run` throws is shown as a toast.
import { actions as agents } from '../agents/actions'
import { actions as notes } from '../board/actions'
import { actions as chat } from '../chat/chat-actions'
import { messageOf } from '../core/events'
import type { Place } from '../core/router'
import type { Action, Services } from '../core/services'
import type { ActionDetail } from '../core/view'
import { actions as phone } from '../phone/phone-actions'
import { actions as recordings } from '../recordings/recording-actions'
import { actions as terminals } from '../terminals/actions'
import { actions as screen } from '../terminals/screen-actions'
import { renameActions } from './rename-actions'
import { shellActions } from './shell-actions'
import { startActions } from './start-actions'
import { windowActions } from './window-actions'

const go: Action<{ place: Partial<Place> }> = {
  name: 'go',
  title: 'Go to',
  hidden: true,
  run: (services, { place }) => services.go(place),
}

/** An action of which only the sender of its event knows the arguments. */
export type AnyAction = Action<never>

const tables: readonly (readonly AnyAction[])[] = [
  [go, ...shellActions],
  startActions,
  renameActions,
  windowActions,
  phone,
  terminals,
  screen,
  recordings,
  agents,
  chat,
  notes,
]
export const actions: ReadonlyMap<string, AnyAction> = new Map(
  tables.flat().map((action) => [action.name, action]),
)

/** Runs the action of an `action` event. */
export async function perform(services: Services, { name, ...args }: ActionDetail): Promise<void> {
  const action = actions.get(name)
  if (!action) throw new Error(`Unknown action: ${name}`)
  try {
    // Events are untyped: the sender passes what the action takes.
    await action.run(services, args as never)
  } catch (error) {
    services.toast({ tone: 'bad', text: messageOf(error) })
  }
}

declare global {
  interface DocumentEventMap {
    action: CustomEvent<ActionDetail>
  }
}
