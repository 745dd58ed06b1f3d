import type { IncomingHttpHeaders } from 'node:http'
import { SottoError } from '../../../shared/errors.ts'
import { parseOrigin } from '../../../shared/origin.ts'

/** The names of a loopback address. Any other name belongs to a page that points it here (DNS rebinding). */
export const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'] as const

/** Hosts and origins that the user allows in addition to the address itself, in lowercase. */
export interface AllowLists {
  /** Values of the Host header: `name` with any port, or `name:port`. */
  readonly hosts: readonly string[]
  /** Values of the Origin header, in the form of `parseOrigin`. */
  readonly origins: readonly string[]
}

/** A page, or a web view of a program, that may read answers. */
export interface AskingPage {
  readonly origin: string
  /** The user allows it for every key. Otherwise it may only send the keys that allow it. */
  readonly everyKey: boolean
}

/** Checks Host and Origin of each request to one address, before all other checks. */
export class CallerGuard {
  readonly #own = new Set<string>()
  readonly #hosts: ReadonlySet<string>
  readonly #origins: ReadonlySet<string>

  constructor({ hosts, origins }: AllowLists) {
    this.#hosts = new Set(hosts)
    this.#origins = new Set(origins)
  }

  /** Allows these names with this port. Callers omit the default port of the scheme. */
  answersTo(names: readonly string[], port: number, tls: boolean): void {
    for (const name of names) {
      this.#own.add(`${name}:${String(port)}`)
      if (port === (tls ? 443 : 80)) this.#own.add(name)
    }
  }

  /**
   * Returns the page that sends the request; undefined if a program sends it. Browsers send the page's
   * origin, and programs send none.
   * @param keyAllows whether an active key allows this origin
   * @throws {SottoError} proxy/host-forbidden, proxy/origin-forbidden, and the errors of `keyAllows`
   */
  check(
    { host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
    keyAllows: (origin: string) => boolean,
  ): AskingPage | undefined {
    const name = host?.toLowerCase()
    if (name === undefined || !(this.#own.has(name) || this.#lists(name))) throw forbiddenHost(name)
    if (origin !== undefined) {
      // A browser sends an origin in its canonical form. Another spelling comes from something else.
      if (parseOrigin(origin) !== origin) throw new SottoError('proxy/origin-forbidden')
      if (this.#origins.has(origin)) return { origin, everyKey: true }
      if (keyAllows(origin)) return { origin, everyKey: false }
      throw forbiddenOrigin(origin)
    }
    if (site !== undefined && site !== 'none') throw new SottoError('proxy/origin-forbidden')
    return undefined
  }

  #lists(name: string): boolean {
    return this.#hosts.size > 0 && (this.#hosts.has(name) || this.#hosts.has(name.replace(/:\d{1,5}$/, '')))
  }
}

/**
 * Creates the refusal of a page that this key, or every key, doesn't allow.
 * @param origin canonical, so its characters are safe in a text and a shell
 */
export function forbiddenOrigin(origin: string): SottoError {
  return new SottoError('proxy/origin-forbidden', {
    toolDetail: `The origin is "${origin}". To allow it for a local key, run: sotto keys edit NAME --origin ${origin}`,
  })
}

/** The part of a Host header whose characters are safe in a text and a shell. */
const PLAIN_HOST = /^([a-z0-9._-]{1,253})(?::\d{1,5})?$/

function forbiddenHost(host: string | undefined): SottoError {
  const name = PLAIN_HOST.exec(host ?? '')?.[1]
  return new SottoError(
    'proxy/host-forbidden',
    name === undefined ? {} : { toolDetail: `To accept this name, start Sotto with: --allow-host ${name}` },
  )
}
