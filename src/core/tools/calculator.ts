const FUNCTIONS: Readonly<Record<string, (...values: number[]) => number>> = {
  sqrt: Math.sqrt,
  abs: Math.abs,
  round: Math.round,
  floor: Math.floor,
  ceil: Math.ceil,
  ln: Math.log,
  log: Math.log10,
  exp: Math.exp,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  min: Math.min,
  max: Math.max,
}
const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E }

/** One argument, except for min and max. */
const SEVERAL = new Set(['min', 'max'])
const MAX_DEPTH = 50

type Token =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'sign'; readonly sign: string }

/**
 * Calculates an expression. It's parsed here and never evaluated as code, because a model writes it.
 * @returns undefined if it's malformed, or the result isn't a finite number
 */
export function calculate(expression: string): number | undefined {
  const tokens = tokenize(expression)
  if (!tokens) return undefined
  const parser = new Parser(tokens)
  const value = parser.sum(0)
  return value !== undefined && parser.atEnd && Number.isFinite(value) ? value : undefined
}

function tokenize(expression: string): Token[] | undefined {
  const tokens: Token[] = []
  const pattern = /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([a-z]+)|([-+*/%^(),]))/y
  const text = expression.trimEnd()
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text)
    if (!match) return undefined
    const [, number, name, sign] = match
    if (number !== undefined) tokens.push({ kind: 'number', value: Number(number) })
    else if (name !== undefined) tokens.push({ kind: 'name', name })
    else if (sign !== undefined) tokens.push({ kind: 'sign', sign })
  }
  return tokens
}

/** Recursive descent. Each method returns undefined for a malformed part. */
class Parser {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get atEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  sum(depth: number): number | undefined {
    let value = this.#product(depth)
    for (;;) {
      const sign = this.#sign('+-')
      if (sign === undefined || value === undefined) return value
      const right = this.#product(depth)
      if (right === undefined) return undefined
      value = sign === '+' ? value + right : value - right
    }
  }

  #product(depth: number): number | undefined {
    let value = this.#signed(depth)
    for (;;) {
      const sign = this.#sign('*/%')
      if (sign === undefined || value === undefined) return value
      const right = this.#signed(depth)
      if (right === undefined) return undefined
      value = sign === '*' ? value * right : sign === '/' ? value / right : value % right
    }
  }

  #signed(depth: number): number | undefined {
    if (depth > MAX_DEPTH) return undefined
    const sign = this.#sign('+-')
    if (sign === undefined) return this.#power(depth)
    const value = this.#signed(depth + 1)
    return value === undefined ? undefined : sign === '-' ? -value : value
  }

  /** Right-associative, and it binds more strongly than a sign: -2^2 is -4. */
  #power(depth: number): number | undefined {
    const base = this.#atom(depth)
    if (base === undefined || this.#sign('^') === undefined) return base
    const exponent = this.#signed(depth + 1)
    return exponent === undefined ? undefined : base ** exponent
  }

  #atom(depth: number): number | undefined {
    const token = this.#tokens[this.#at]
    if (!token) return undefined
    this.#at += 1
    if (token.kind === 'number') return token.value
    if (token.kind === 'sign') return token.sign === '(' ? this.#closed(this.sum(depth + 1)) : undefined
    if (Object.hasOwn(CONSTANTS, token.name)) return CONSTANTS[token.name]
    return this.#call(token.name, depth)
  }

  #call(name: string, depth: number): number | undefined {
    const called = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
    if (!called || this.#sign('(') === undefined) return undefined
    const values: number[] = []
    do {
      const value = this.sum(depth + 1)
      if (value === undefined) return undefined
      values.push(value)
    } while (this.#sign(',') !== undefined)
    if (values.length > 1 && !SEVERAL.has(name)) return undefined
    return this.#closed(called(...values))
  }

  #closed(value: number | undefined): number | undefined {
    return this.#sign(')') === undefined ? undefined : value
  }

  #sign(among: string): string | undefined {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'sign' || !among.includes(token.sign)) return undefined
    this.#at += 1
    return token.sign
  }
}
