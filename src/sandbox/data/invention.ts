import { Chance } from '../random.ts'

const firstNames = ['Ada', 'Bruno', 'Carla', 'Dario', 'Elena', 'Fabio', 'Gaia', 'Ivo'] as const
const lastNames = ['Adagio', 'Brio', 'Cantabile', 'Dolce', 'Forte', 'Largo', 'Presto', 'Vivace'] as const
const trades = ['Instruments', 'Gardens', 'Lighthouses', 'Bakery', 'Archives', 'Observatory'] as const
const titles = ['Founder', 'Engineer', 'Archivist', 'Head of Research', 'Gardener'] as const

/**
 * Creates fictional people and things: names from music, addresses under .example (RFC 2606), numbers
 * reserved for fiction.
 */
export class Invention {
  readonly #chance: Chance

  constructor(seed: string) {
    this.#chance = new Chance(seed)
  }

  below(below: number): number {
    return this.#chance.below(below)
  }

  id(): string {
    return this.#chance.hex(12)
  }

  name(): { readonly first: string; readonly last: string } {
    return { first: this.#chance.pick(firstNames), last: this.#chance.pick(lastNames) }
  }

  title(): string {
    return this.#chance.pick(titles)
  }

  organization(): { readonly name: string; readonly domain: string } {
    const [last, trade] = [this.#chance.pick(lastNames), this.#chance.pick(trades)]
    return { name: `${last} ${trade}`, domain: `${last}-${trade}.example`.toLowerCase() }
  }

  street(): string {
    return `${1 + this.below(200)} ${this.#chance.pick(lastNames)} Street, Sandbox`
  }

  phone(): string {
    return `+1 555-01${String(this.below(100)).padStart(2, '0')}`
  }

  /** Within ten years before this document's era: the same for the same request. */
  date(): string {
    return new Date(Date.UTC(2016 + this.below(10), this.below(12), 1 + this.below(28))).toISOString()
  }
}
