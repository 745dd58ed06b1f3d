import { afterAll, expect, it } from 'vitest'
import { DataFolder } from '../../src/host/data-folder.ts'
import { readSettings } from '../../src/host/settings.ts'
import { startHost } from '../../src/host/host.ts'
import { clientOver, isBuilt, launch } from './launch.ts'

const PASSPHRASE = 'correct horse battery'
const vaultEnvironment = { SOTTO_VAULT: 'file', SOTTO_PORT: '0' }

afterAll(() => {
  delete process.env['SOTTO_PASSPHRASE']
})

it.skipIf(!isBuilt())(
  'the built main, quit in the middle of an answer, keeps what came of it, its receipt and the journal',
  async () => {
    const { electron, dataDir } = await launch({
      environment: { ...vaultEnvironment, SOTTO_PASSPHRASE: PASSPHRASE },
    })
    await electron.called('window.show')
    const client = clientOver(electron.sessions.get('sotto')!.handlers.get('app')!)
    const answer = await client.chat.send({
      model: 'private/sandbox-lento-8b',
      text: 'Tell me of the sea, at length.',
    })
    let conversationId = ''
    let text = ''
    for await (const event of answer) {
      if (event.type === 'started') conversationId = event.conversation.id
      if (event.type === 'delta') text += event.text ?? event.reasoning ?? ''
      if (text.length > 20) break
    }
    electron.app.emit('will-quit', { preventDefault: () => undefined })
    await electron.called('app.quit')

    await using host = await startHost({
      settings: await readSettings({
        ...vaultEnvironment,
        SOTTO_DATA_DIR: dataDir,
        SOTTO_PASSPHRASE: PASSPHRASE,
      }),
      folder: await DataFolder.check(dataDir),
      confirm: {
        ask: () => Promise.resolve(false),
        pending: () => null,
        answer: () => ({ accepted: false }),
      },
    })
    const again = clientOver((request) => host.asOwner(request))
    const { messages } = await again.conversations.get({ conversationId })
    const last = messages.at(-1)!
    expect(last).toMatchObject({
      role: 'assistant',
      privacy: 'sealed',
      state: expect.stringMatching(/cancelled|interrupted/) as string,
    })
    expect(last.text.length + (last.reasoning?.length ?? 0)).toBeGreaterThan(20)
    expect(await again.receipts.list({})).toMatchObject([{ privacy: 'sealed' }])
    expect(await again.localApi.keys()).toMatchObject([{ state: 'live' }])
  },
)
