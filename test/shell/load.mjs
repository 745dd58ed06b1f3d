// An import that no test runner takes in hand.
export const load = (/** @type {string} */ url) => import(url)
