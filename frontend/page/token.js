// A token that came with the page's address (`?token=…`): kept for this tab, taken out of the address.
const NAME = 'webtmux-token'
const given = new URLSearchParams(location.search).get('token')

if (given) {
  sessionStorage.setItem(NAME, given)
  const address = new URL(location.href)
  address.searchParams.delete('token')
  history.replaceState(history.state, '', address)
}

export const token = given || sessionStorage.getItem(NAME) || ''

/** The address of the socket, beside this page. */
export function socketAddress() {
  const address = new URL('/ws', location.href)
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
  if (token) address.searchParams.set('token', token)
  return address.href
}
