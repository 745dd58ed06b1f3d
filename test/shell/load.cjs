'use strict'

// An import that no test runner takes in hand.
module.exports = (/** @type {string} */ url) => import(url)
