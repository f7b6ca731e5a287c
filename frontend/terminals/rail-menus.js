// What the menus of the rail's rows offer. Pure: items of <action-menu>.

export function sessionItems(session) {
  const go = (view) => ({ place: { view, key: '', project: session.project } })
  return [
    { title: 'New window …', name: 'create-window', given: { session } },
    { title: 'Board', name: 'go', given: go('board') },
    { title: 'Notes', name: 'go', given: go('notes') },
    { title: 'Timeline', name: 'go', given: go('timeline') },
    { title: 'Rename the project …', name: 'rename-project', given: { session } },
    { title: 'Rename the session …', name: 'rename-session', given: { session } },
    { title: 'End the session …', name: 'kill-session', given: { session }, danger: true },
  ]
}

export function windowItems(window) {
  return [
    { title: 'Rename …', name: 'rename-window', given: { window } },
    { title: 'Split right', name: 'split-right', given: { window } },
    { title: 'Split below', name: 'split-below', given: { window } },
    { title: 'Show in my own terminal', name: 'open-in-tmux', given: { window } },
    { title: 'End the window …', name: 'kill-window', given: { window }, danger: true },
  ]
}

export function paneItems(window, pane) {
  return [
    { title: 'Split right', name: 'split-right', given: { window, pane } },
    { title: 'Split below', name: 'split-below', given: { window, pane } },
    { title: 'End the pane …', name: 'kill-pane', given: { window, pane }, danger: true },
  ]
}
