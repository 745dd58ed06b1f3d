import { readVersion, SettingError } from '../host/index.ts'
import { SottoError } from '../shared/errors.ts'
import { heedClosedReaders } from './closed-readers.ts'
import { createProgram } from './program.ts'

heedClosedReaders()
try {
  await createProgram(await readVersion()).parseAsync()
} catch (thrown) {
  if (!(thrown instanceof SottoError) && !(thrown instanceof SettingError)) throw thrown
  process.stderr.write(`${thrown.message}${thrown instanceof SottoError ? ` (${thrown.code})` : ''}\n`)
  process.exitCode = 1
}
