import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { applicationRoot } from '../host/index.ts'

/**
 * The desktop window where Electron's binary is installed, else the headless product with a
 * browser tab. It never waits for a download.
 */
const flags = process.argv.slice(2)
const electron = flags.includes('--no-open') || flags.includes('--json') ? null : electronBinary()

if (electron !== null) {
  const child = spawn(electron, [applicationRoot, ...flags], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  child.once('exit', (code) => (process.exitCode = code ?? 1))
} else {
  process.argv.splice(2, flags.length, 'serve', '--open', ...flags)
  await import('./index.ts')
}

/** Where `npm run desktop` has put it; the package alone is only its downloader. */
function electronBinary(): string | null {
  const folder = join(applicationRoot, 'node_modules', 'electron')
  try {
    const binary = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8').trim())
    return existsSync(binary) ? binary : null
  } catch {
    return null
  }
}
