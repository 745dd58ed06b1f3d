import { fileURLToPath } from 'node:url'
import { ESLint } from 'eslint'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const eslint = new ESLint({ cwd: root })

/** What `no-restricted-syntax` answers for a file of the core. Its configuration is read as ESLint reads it, types aside. */
async function messages(code: string): Promise<string[]> {
  const config = (await eslint.calculateConfigForFile('src/core/payments/wallet/lazy-wallet.ts')) as {
    rules: Record<string, unknown>
  }
  const linter = new ESLint({
    cwd: root,
    overrideConfigFile: true,
    overrideConfig: [{ rules: { 'no-restricted-syntax': config.rules['no-restricted-syntax'] as never } }],
  })
  const [result] = await linter.lintText(code, { filePath: 'probe.js' })
  return result?.messages.map(({ message }) => message) ?? []
}

it.each(['null', 'undefined', '0', '"x"', '[]', '{}'])(
  'refuses %s in place of what can’t be read',
  async (constant) => {
    expect(await messages(`schema.catch(${constant})`)).toEqual([
      'Read the member by itself, so that nothing known is lost.',
    ])
  },
)

it.each(['() => null', '(thrown) => { report(thrown) }', 'handler', 'this.failed'])(
  'lets a promise handle its failure by %s',
  async (handler) => {
    expect(await messages(`promise.catch(${handler})`)).toEqual([])
  },
)
