import { SottoError } from '../../../shared/errors.ts'
import { nearMatches } from '../../../shared/near-match.ts'
import type { RequestHead } from '../../../shared/request-head.ts'
import { PREFIXES } from './route-context.ts'

const [BASE] = PREFIXES
const OLLAMA_AREA = '/api'
const MOST_SIMILAR = 3
/** The number of Ollama's routes that Sotto serves. */
const MOST_OF_AREA = 8
/** Named if no path is similar. */
const EXAMPLES = `Examples of served paths: POST ${BASE}/chat/completions, GET ${BASE}/models.`

/** Areas of OpenAI's API that the service doesn't have (specification, Endpoints). */
const NOT_OFFERED =
  /^(?:\/v1)?\/(assistants|audio\/translations|batches|chatkit|containers|conversations|evals|files|fine[_-]tuning|images\/variations|moderations|organization|realtime|threads|uploads|vector_stores)(?:\/|$)/

/** Routes of Ollama that change the models on its computer. */
const CHANGES_MODELS = /^\/api\/(?:pull|push|create|copy|delete|blobs)(?:\/|$)/

/** The paths that the proxy serves. The refusal of another path names similar ones. */
export class KnownPaths {
  /** Methods by path, with the placeholders of the documentation. */
  readonly #methods = new Map<string, string[]>([[`${BASE}/chat/completions`, ['POST']]])

  /**
   * Adds a route of fastify. Routes of several methods only refuse. A path that is also served with the base
   * counts once.
   */
  add(method: string | string[], url: string): void {
    const path = url.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '…')
    if (typeof method !== 'string' || method === 'HEAD' || this.#methods.has(`${BASE}${path}`)) return
    const methods = this.#methods.get(path) ?? []
    if (!methods.includes(method)) this.#methods.set(path, [...methods, method])
  }

  /** The refusal proxy/path-unknown of a path that isn't served, or isn't served with this method. */
  unknown({ method, pathname }: Pick<RequestHead, 'method' | 'pathname'>): SottoError {
    const [, area] = NOT_OFFERED.exec(pathname) ?? []
    const near = this.#near(pathname)
    const lacking =
      area !== undefined
        ? `The service has no API for ${area}. `
        : CHANGES_MODELS.test(pathname)
          ? 'Sotto cannot download, create, copy or delete models. '
          : ''
    const requestText = `${lacking}The request was ${method} ${plainPath(pathname)}.`
    return new SottoError('proxy/path-unknown', {
      toolDetail: `${requestText} ${near.length === 0 ? EXAMPLES : `Near paths: ${near.join(', ')}.`}`,
    })
  }

  /**
   * Returns the path with another method, or those with a similar name, or those of the same area, such as
   * `/v1/audio`. Each with its method.
   */
  #near(pathname: string): readonly string[] {
    const paths = [...this.#methods.keys()]
    const same = [pathname, `${BASE}${pathname}`].find((path) => this.#methods.has(path))
    if (same !== undefined) return this.#withMethods([same], MOST_SIMILAR)
    const area = areaOf(pathname)
    const sameArea = paths.filter((path) => area !== '' && areaOf(path) === area)
    // `/api/models` belongs to Ollama's API and isn't a typo of `/v1/models`.
    const similar = nearMatches(pathname, area === OLLAMA_AREA ? sameArea : paths)
    return similar.length > 0
      ? this.#withMethods(similar, MOST_SIMILAR)
      : this.#withMethods(sameArea, MOST_OF_AREA)
  }

  #withMethods(paths: readonly string[], most: number): string[] {
    return paths
      .flatMap((path) => (this.#methods.get(path) ?? []).map((method) => `${method} ${path}`))
      .slice(0, most)
  }
}

function areaOf(path: string): string {
  const [, first = '', second = ''] = path.split('/', 3)
  return `/${first}` === BASE ? second : first
}

/** Returns the caller's path without unsafe characters, for an error's text. */
function plainPath(pathname: string): string {
  return pathname.slice(0, 100).replaceAll(/[^\w/.-]/g, '?')
}
