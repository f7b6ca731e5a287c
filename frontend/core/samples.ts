// Values of the server's types for unit tests: complete, and changed by `fields`.
import type { AgentOut, QuestionOut, ShownPaneOut, ShownWindowOut, WindowOut } from './generated/socket'

const MOMENT = '2026-01-01T00:00:00Z'

export const shownWindow = (number: number, fields: Partial<ShownWindowOut> = {}): ShownWindowOut => ({
  windowId: `@${number}`,
  windowIndex: number,
  windowName: `w${number}`,
  session: 'work',
  sessionId: '$0',
  active: false,
  zoomed: false,
  bell: false,
  layout: '',
  activity: 10,
  attached: 0,
  panes: [],
  ...fields,
})

export const shownPane = (number: number, fields: Partial<ShownPaneOut> = {}): ShownPaneOut => ({
  paneId: `%${number}`,
  paneIndex: number,
  active: false,
  alternate: false,
  command: 'sh',
  dead: false,
  deadStatus: 0,
  deadSignal: 0,
  inMode: false,
  left: 0,
  top: 0,
  width: 80,
  height: 24,
  path: '/',
  title: '',
  ...fields,
})

export const savedWindow = (number: number, fields: Partial<WindowOut> = {}): WindowOut => ({
  key: `key${number}`,
  windowId: `@${number}`,
  windowIndex: number,
  windowName: `w${number}`,
  session: 'work',
  project: 'Work',
  active: false,
  alive: true,
  pinned: false,
  version: 1,
  lastSeenAt: MOMENT,
  createdAt: MOMENT,
  ...fields,
})

export const questionOf = (title: string, fields: Partial<QuestionOut> = {}): QuestionOut => ({
  id: title,
  kind: 'other',
  title,
  subject: '',
  path: '',
  diff: '',
  reason: '',
  cut: false,
  options: [],
  ...fields,
})

export const agentOf = (name: string, fields: Partial<AgentOut> = {}): AgentOut => ({
  name,
  runtime: 'claude',
  workDir: '/',
  attached: false,
  state: 'idle',
  question: null,
  options: [],
  decidedBy: 'screen',
  stateSince: 1_794_800_000_000,
  disputed: false,
  session: 'work',
  windowId: '@1',
  paneId: '%1',
  ...fields,
})
