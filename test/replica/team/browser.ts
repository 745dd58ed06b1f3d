import { request, type IncomingHttpHeaders } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A browser as far as sign-in needs one: cookies by host and port, and redirects. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>()
  /** Every address of the last navigation. */
  visited: string[] = []

  cookiesOf(origin: string): Map<string, string> {
    const { host } = new URL(origin)
    let jar = this.#cookies.get(host)
    if (!jar) this.#cookies.set(host, (jar = new Map<string, string>()))
    return jar
  }

  async send(
    url: string,
    options: {
      readonly method?: string
      readonly headers?: Record<string, string>
      readonly body?: string
      /** The target as it's sent, instead of the normalized one. */
      readonly target?: string
    } = {},
  ): Promise<Answer> {
    const { hostname, port, pathname, search } = new URL(url)
    const jar = this.cookiesOf(url)
    const { method = 'GET', headers, body, target = `${pathname}${search}` } = options
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await new Promise<Answer>((answered, failed) => {
      const outgoing = request(
        { host: hostname, port, path: target, method, headers: { cookie, ...headers } },
        (incoming) => {
          let text = ''
          incoming
            .setEncoding('utf8')
            .on('data', (chunk: string) => (text += chunk))
            .on('end', () =>
              answered({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text }),
            )
        },
      )
      outgoing.on('error', failed)
      outgoing.end(body)
    })
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [pair = '', ...attributes] = line.split('; ')
      const at = pair.indexOf('=')
      const name = pair.slice(0, at)
      const isDeleted = attributes.some(
        (each) => each === 'Max-Age=0' || /^expires=Thu, 01 Jan 1970/i.test(each),
      )
      if (isDeleted) jar.delete(name)
      else jar.set(name, pair.slice(at + 1))
    }
    return answer
  }

  /** Follows redirects until `stop` matches an address, which isn't requested, or an answer isn't a redirect. */
  async navigate(url: string, stop: (address: string) => boolean = () => false): Promise<string> {
    this.visited = []
    for (let at = url; ;) {
      this.visited.push(at)
      if (stop(at)) return at
      const { status, headers } = await this.send(at)
      if (status < 300 || status > 399 || headers.location === undefined) return at
      at = new URL(headers.location, at).href
    }
  }
}
