import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { applicationRoot } from '../host/application-root.ts'

/**
 * Opens the desktop window if Electron's binary is installed, otherwise the headless product with a browser
 * tab. Never waits for a download.
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

/** Returns the binary that `npm run desktop` downloaded. The package only contains the downloader. */
function electronBinary(): string | null {
  const folder = join(applicationRoot, 'node_modules', 'electron')
  try {
    const binary = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8').trim())
    return existsSync(binary) ? binary : null
  } catch {
    return null
  }
}
