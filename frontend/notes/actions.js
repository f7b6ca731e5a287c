// What a person can do with notes; joined in page/actions.js.

export const actions = []
