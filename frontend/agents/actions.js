// What a person can do with agents; joined in page/actions.js.

export const actions = []
