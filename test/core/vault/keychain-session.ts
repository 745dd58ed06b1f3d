// One run of a program that uses the vault: folder, then `name=value` to set and `name` to get. Prints JSON.
import { openVault } from '../../../src/core/vault/index.ts'

const [folder = '', ...requests] = process.argv.slice(2)
const report: Record<string, unknown> = {}
try {
  const vault = await openVault({ mode: process.env['VAULT_MODE'] === 'keychain' ? 'keychain' : 'auto', folder })
  Object.assign(report, { kind: vault.kind, state: vault.state })
  for (const request of requests) {
    const [name = '', value] = request.split('=')
    if (value !== undefined) await vault.set(name, Buffer.from(value))
    const secret = await vault.get(name)
    report[name] = secret && Buffer.from(secret).toString()
  }
} catch (error) {
  report['error'] = error instanceof Error && 'code' in error ? error.code : String(error)
}
console.log(JSON.stringify(report))
// A keychain that hangs keeps its thread, and the process with it.
process.exit()
