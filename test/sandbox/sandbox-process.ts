import { startSandbox } from '../../src/sandbox/index.ts'

/** A sandbox as a process of its own, to be killed. argv: its folder, and what a new account is to have (10^-12 USD). */
const [folder = '', balance = '0'] = process.argv.slice(2)
const sandbox = await startSandbox({ folder, pace: 'none' })
const control = await sandbox.control()
process.on('disconnect', () => process.exit(0))
process.send?.({ baseUrl: sandbox.baseUrl, ...control.createAccount(BigInt(balance)) })
