import { expect, test } from 'vitest'
import { shownPane, shownWindow } from '../core/samples'
import { endedText } from './ended-text'
import { mergeFolders, usedFolders, withFolder } from './folders'
import { changedNames, renamedText } from './renames'

test('used folders that match come first, and no folder is listed twice', () => {
  expect(mergeFolders('', ['/srv/web'], ['api/', '/srv/web/'])).toEqual(['/srv/web', 'api/'])
  expect(mergeFolders('WEB', ['/srv/web', '/srv/api'], [])).toEqual(['/srv/web'])
})

test('a long history hides no completion', () => {
  const used = Array.from({ length: 30 }, (_, number) => `/srv/a${number}`)
  const merged = mergeFolders('a', used, ['a/', 'ab/'])
  expect(merged).toHaveLength(8)
  expect(merged.slice(-2)).toEqual(['a/', 'ab/'])
  expect(mergeFolders('a', used, [])).toHaveLength(12)
})

test('used folders are those of the history and of all panes', () => {
  const windows = new Map([
    ['@1', shownWindow(1, { panes: [shownPane(1, { path: '/srv/a' }), shownPane(2, { path: '/' })] })],
    ['@2', shownWindow(2, { panes: [shownPane(3, { path: '/srv/b' })] })],
  ])
  expect(usedFolders(['/srv/b', '~/c'], { windows })).toEqual(['/srv/b', '~/c', '/srv/a'])
})

test('a folder that is used again moves to the front of the history', () => {
  expect(withFolder(['/a', '/b'], '/b')).toEqual(['/b', '/a'])
  expect(withFolder(Array.from({ length: 25 }, String), '/b')).toHaveLength(20)
})

test('only changed names are sent, the project before its session', () => {
  const before = { window: 'w', project: 'p', session: 's' }
  expect(changedNames(before, { window: 'w', project: ' p ', session: 's' })).toEqual([])
  const changes = changedNames(before, { session: 't', project: 'q' })
  expect(changes.map(({ kind }) => kind)).toEqual(['project', 'session'])
  expect(renamedText(changes)).toBe('Renamed project p to q, session s to t.')
})

test('an ended command is described by its status or signal', () => {
  expect(endedText({ deadStatus: 0, deadSignal: 0 })).toBe('The command ended with status 0.')
  expect(endedText({ deadStatus: 127, deadSignal: 0 })).toContain('status 127: it was not found')
  expect(endedText({ deadStatus: 0, deadSignal: 9 })).toContain('signal 9')
})
