import type { IncomingHttpHeaders } from 'node:http'
import { SottoError } from '../../shared/errors.ts'

/** Names under which a loopback address may be called; any other is a page's name that was pointed here (DNS rebinding). */
export const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'] as const

/** What the user lists beside the address itself, in lowercase. */
export interface AllowLists {
  /** Of a Host header: `name` with any port, or `name:port`. */
  readonly hosts: readonly string[]
  /** Of an Origin header: `https://name`, `http://name:port`. */
  readonly origins: readonly string[]
}

/** Host and Origin of each request to one address, before anything else is looked at. */
export class CallerGuard {
  readonly #own = new Set<string>()
  readonly #hosts: ReadonlySet<string>
  readonly #origins: ReadonlySet<string>

  constructor({ hosts, origins }: AllowLists) {
    this.#hosts = new Set(hosts)
    this.#origins = new Set(origins)
  }

  /** The address has these names, with this port. That of the scheme itself is left out by those who call it. */
  answersTo(names: readonly string[], port: number, tls: boolean): void {
    for (const name of names) {
      this.#own.add(`${name}:${String(port)}`)
      if (port === (tls ? 443 : 80)) this.#own.add(name)
    }
  }

  /**
   * The origin of the listed page that asks; undefined where no page does. Browsers name the page, programs send no Origin.
   * Throws proxy/host-forbidden, proxy/origin-forbidden.
   */
  check({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): string | undefined {
    const name = host?.toLowerCase()
    if (name === undefined || !(this.#own.has(name) || this.#lists(name))) throw new SottoError('proxy/host-forbidden')
    if (origin !== undefined) {
      if (this.#origins.has(origin)) return origin
      throw new SottoError('proxy/origin-forbidden')
    }
    if (site !== undefined && site !== 'none') throw new SottoError('proxy/origin-forbidden')
    return undefined
  }

  #lists(name: string): boolean {
    return this.#hosts.size > 0 && (this.#hosts.has(name) || this.#hosts.has(name.replace(/:\d{1,5}$/, '')))
  }
}
