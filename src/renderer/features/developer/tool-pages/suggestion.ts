import { parseAlias } from '../../../../shared/alias-text.ts'
import type { Model } from '../../../../shared/model.ts'
import { sameKeyName, type LocalKeyView } from '../../../../shared/local-key.ts'
import { TRIAL_TOKENS } from '../../../../shared/trial.ts'
import { tokenCost } from '../../../../shared/money.ts'
import { aliasLine, emptyDraft, type KeyDraft } from '../../../ui/keys/key-draft.ts'
import type { Tool } from '../tools/index.ts'

/**
 * An agent works automatically and sends requests often; a program that someone writes sends them now and
 * then.
 */
const offered: Readonly<Record<Tool['kind'], Pick<KeyDraft, 'amount' | 'period' | 'requestsPerMinute'>>> = {
  'Command line and libraries': { amount: '1.00', period: 'day', requestsPerMinute: '60' },
  'Coding agents': { amount: '5.00', period: 'day', requestsPerMinute: '240' },
  'Editors and apps': { amount: '2.00', period: 'day', requestsPerMinute: '120' },
}

/**
 * A key for a tool, with limits that let it work but prevent runaway costs. If the tool uses a private model,
 * the key allows only private models.
 */
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
    // With a budget and a model without a price, the key couldn't send any request.
    allowUnpriced: model !== undefined && listedPrices(model) === undefined,
  }
}

/** The tool's name, with a number if a key that isn't revoked already has the name. */
export function freeName(name: string, keys: readonly LocalKeyView[]): string {
  const live = keys.filter(({ state }) => state !== 'revoked')
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${name} ${count}`
    if (!live.some((key) => sameKeyName(key.name, candidate))) return candidate
  }
}

/** Undefined if a price is missing or negative. Some listings use a negative price for one that varies. */
function listedPrices({
  inputPerMillion: input,
  outputPerMillion: output,
}: Model): { input: string; output: string } | undefined {
  return input === undefined || output === undefined || input.startsWith('-') || output.startsWith('-')
    ? undefined
    : { input, output }
}

/** More tokens than the trial's question has, with any tokenizer and template. */
const TRIAL_PROMPT_TOKENS = 200

/** The maximum cost of a trial in pico-USD; undefined if the listing has no price. */
export function trialPrice(model: Model | undefined): string | undefined {
  const prices = model && listedPrices(model)
  return (
    prices && String(tokenCost(TRIAL_PROMPT_TOKENS, prices.input) + tokenCost(TRIAL_TOKENS, prices.output))
  )
}

/**
 * The amount reserved for a request that limits neither its prompt nor its answer; undefined if a price or
 * the context length is unknown.
 */
export function boundlessPrice(model: Model | undefined): string | undefined {
  const prices = model && listedPrices(model)
  return prices && model.contextLength !== undefined
    ? String(tokenCost(model.contextLength, prices.input) + tokenCost(model.contextLength, prices.output))
    : undefined
}
