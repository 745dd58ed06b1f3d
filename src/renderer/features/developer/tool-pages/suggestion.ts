import { parseAlias } from '../../../../shared/alias-text.ts'
import type { Model } from '../../../../shared/model.ts'
import { sameKeyName, type LocalKeyView } from '../../../../shared/local-key.ts'
import { TRIAL_TOKENS } from '../../../../shared/trial.ts'
import { tokenCost } from '../../../../shared/money.ts'
import { aliasLine, emptyDraft, type KeyDraft } from '../local-keys/key-draft.ts'
import type { Tool } from '../tools/index.ts'

/** An agent works by itself and asks often; a program that someone writes asks now and then. */
const offered: Readonly<Record<Tool['kind'], Pick<KeyDraft, 'amount' | 'period' | 'requestsPerMinute'>>> = {
  'Command line and libraries': { amount: '1.00', period: 'day', requestsPerMinute: '60' },
  'Coding agents': { amount: '5.00', period: 'day', requestsPerMinute: '240' },
  'Editors and apps': { amount: '2.00', period: 'day', requestsPerMinute: '120' },
}

/** A key for a tool, with limits that let it work and keep it from running away; private models alone, where it is to use one. */
export function suggestedKey(tool: Tool, model: Model | undefined, keys: readonly LocalKeyView[]): KeyDraft {
  return {
    ...emptyDraft,
    ...offered[tool.kind],
    name: freeName(tool.name, keys),
    // The service chooses the ID, which need not be one that an alias can have.
    aliases: model
      ? (tool.fixedNames ?? [])
          .map((pattern) => aliasLine({ pattern, model: model.id }))
          .filter(parseAlias)
          .join('\n')
      : '',
    atLeast: model?.private === true ? 'sealed' : 'anyone',
    // With a budget and without a price, it could ask nothing at all.
    allowUnpriced: model !== undefined && listedPrices(model) === undefined,
  }
}

/** The tool's name, and a number where live keys have it already. */
export function freeName(name: string, keys: readonly LocalKeyView[]): string {
  const live = keys.filter(({ state }) => state !== 'revoked')
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${name} ${count}`
    if (!live.some((key) => sameKeyName(key.name, candidate))) return candidate
  }
}

/** Undefined where one is not listed, or is negative, which is how some listings say that it depends. */
function listedPrices({
  inputPerMillion: input,
  outputPerMillion: output,
}: Model): { input: string; output: string } | undefined {
  return input === undefined || output === undefined || input.startsWith('-') || output.startsWith('-')
    ? undefined
    : { input, output }
}

/** More than the trial's question comes to, by any tokenizer and template. */
const TRIAL_PROMPT_TOKENS = 200

/** The most that a trial costs, in pico-USD; undefined where the price is not listed. */
export function trialPrice(model: Model | undefined): string | undefined {
  const prices = model && listedPrices(model)
  return (
    prices && String(tokenCost(TRIAL_PROMPT_TOKENS, prices.input) + tokenCost(TRIAL_TOKENS, prices.output))
  )
}

/** What is held for a request that bounds neither its prompt nor its answer; undefined where nobody knows. */
export function boundlessPrice(model: Model | undefined): string | undefined {
  const prices = model && listedPrices(model)
  return prices && model.contextLength !== undefined
    ? String(tokenCost(model.contextLength, prices.input) + tokenCost(model.contextLength, prices.output))
    : undefined
}
