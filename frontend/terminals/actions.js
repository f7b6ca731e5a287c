// What a person can do with terminals; joined in page/actions.js.

export const actions = []
