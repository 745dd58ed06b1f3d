/** @type {import('prettier').Config} */
const config = { semi: false, singleQuote: true, printWidth: 110 }
export default config
