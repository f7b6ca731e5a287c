// Whether the page has the layout of a phone: a narrow screen, or a low one with touch (landscape). The
// stylesheets repeat this condition.
const PHONE = '(max-width: 700px), (max-width: 960px) and (max-height: 500px) and (pointer: coarse)'

export const isPhone = (): boolean => matchMedia(PHONE).matches
