// One run of a program that uses the vault: folder, then `name=value` to set, `name` to get, `+N` to set and read back N bytes,
// `!` to end the keyring's daemon (its process id is in KEYRING_PID) and `?` to ask what the keychain shows. Prints JSON.
import { unlockVault } from '../../../../src/core/storage/vault/index.ts'

const [folder = '', ...requests] = process.argv.slice(2)
const report: Record<string, unknown> = {}
try {
  const vault = await unlockVault({
    mode: process.env['VAULT_MODE'] === 'keychain' ? 'keychain' : 'auto',
    folder,
  })
  Object.assign(report, { kind: vault.kind, state: vault.state })
  for (const request of requests) {
    if (request === '!') {
      process.kill(Number(process.env['KEYRING_PID']), 'SIGKILL')
      continue
    }
    if (request === '?') {
      report['keychain'] = await vault.examineKeychain()
      continue
    }
    if (request.startsWith('+')) {
      const large = Buffer.alloc(Number(request.slice(1)), 0xa7)
      await vault.set('large', large)
      report['large'] = Buffer.compare((await vault.get('large')) ?? Buffer.alloc(0), large) === 0
      continue
    }
    const [name = '', value] = request.split('=')
    if (value !== undefined) await vault.set(name, Buffer.from(value))
    const secret = await vault.get(name)
    // Of a large one the length: a pipe does not take it all before the process ends.
    report[name] = secret && (secret.length > 1000 ? secret.length : Buffer.from(secret).toString())
  }
} catch (error) {
  report['error'] = error instanceof Error && 'code' in error ? error.code : String(error)
}
console.log(JSON.stringify(report))
// A keychain that hangs keeps its thread, and the process with it.
process.exit()
