// An import that the test runner does not intercept.
export const load = (/** @type {string} */ url) => import(url)
