/** How often, and for how long, a start checks whether an earlier signal has opened the inspector. */
const CHECK_EVERY_MS = 50
const CHECK_FOR_MS = 2_000

/**
 * Keeps Node's inspector closed to signals. SIGUSR1 otherwise opens it at 127.0.0.1:9229, where every local
 * user can run code in this process. Every entry must call this first.
 *
 * A listener replaces Node's own handler. A signal before it may still open the inspector, and an attacker
 * may already have changed the running code: the process then exits. `--disable-sigusr1` closes that gap.
 * The installed command (bin/sotto.cjs) and Sotto's scripts pass it; a plain `node …/sotto.js` doesn't. An inspector
 * that `--inspect` requested stays open.
 *
 * @see https://nodejs.org/api/cli.html#--disable-sigusr1
 */
export function keepInspectorClosed(): void {
  if (isInspectorRequested()) return
  process.on('SIGUSR1', () => undefined)
  if (process.features.inspector) void exitIfOpened()
}

function isInspectorRequested(): boolean {
  const options = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/[\s"]+/)]
  return options.some((option) => /^--inspect(?:-brk|-wait)?(?:=|$)/.test(option))
}

async function exitIfOpened(): Promise<void> {
  const { url } = await import('node:inspector')
  const check = (): void => {
    if (url() === undefined) return
    process.stderr.write(
      'A signal opened the Node.js debugger while Sotto was starting, so Sotto has stopped. Start it again.\n',
    )
    process.exit(1)
  }
  check()
  const checks = setInterval(check, CHECK_EVERY_MS).unref()
  setTimeout(() => clearInterval(checks), CHECK_FOR_MS).unref()
}
