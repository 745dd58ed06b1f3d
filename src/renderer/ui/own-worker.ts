/** The file name that the build gives a worker. */
const WORKER_FILE = /^\/assets\/[a-z]+-worker-[\w-]+\.js$/

/**
 * The only Trusted Types policy of the window: the page's content security policy allows no other name, and no name twice. It turns the
 * address of one of the window's own workers into the address of a script, and nothing else.
 */
const policy = globalThis.trustedTypes?.createPolicy('sotto-worker', { createScriptURL: toWorkerAddress })

function toWorkerAddress(address: string): string {
  const { origin, pathname, search, href } = new URL(address, document.baseURI)
  if (origin !== location.origin || search !== '' || !WORKER_FILE.test(pathname))
    throw new TypeError('not a worker of this window')
  return href
}

/**
 * Starts one of the window's own workers.
 *
 * @param address from an import with `?worker&url`
 * @throws {TypeError} if the address is not that of a worker that was built with the window
 */
export function startOwnWorker(address: string): Worker {
  return new Worker(policy?.createScriptURL(address) ?? address, { type: 'module' })
}
