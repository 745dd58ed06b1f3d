// Two starts of Sotto one after the other, within one session of a keychain. Prints what each of them keeps, as JSON.
import { startSotto, type SottoProcess } from './sotto-process.ts'

async function readState(sotto: SottoProcess): Promise<unknown> {
  const status = (await sotto.call('app/status')) as { account: unknown; vault: unknown }
  return {
    key: sotto.ready.proxy.key,
    account: status.account,
    vault: status.vault,
    conversations: await sotto.call('conversations/list'),
    receipts: await sotto.call('receipts/list', {}),
  }
}

const [folder = ''] = process.argv.slice(2)
const environment = { SOTTO_VAULT: 'auto', SOTTO_PASSPHRASE: '' }
const first = await startSotto(folder, environment)
await (await first.api('chat/send', { model: 'private/sandbox-lento-8b', text: 'Hello, quietly' })).text()
const before = await readState(first)
await first.stop('SIGTERM')
const second = await startSotto(folder, environment)
const after = await readState(second)
await second.stop('SIGTERM')
console.log(JSON.stringify({ before, after }))
