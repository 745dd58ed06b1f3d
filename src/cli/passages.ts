import { formatUsd } from '../shared/format-money.ts'
import type { FoundPassage } from '../shared/knowledge.ts'
import { tokenCost } from '../shared/money.ts'
import { passageTokens, type PassagePlace } from '../shared/passage-text.ts'
import type { ContractClient } from './client.ts'
import { counted, terminalSafe } from './format.ts'

/** A question that would be sent in a project. */
interface ProjectQuestion {
  readonly projectId: string
  readonly model: string
  readonly text: string
}

/** How a person agrees to send passages. */
interface Agreement {
  /** Agreed in advance. */
  readonly yes: boolean
  /** Asks a yes/no question in the terminal. Absent: there is no terminal. */
  readonly ask?: (question: string) => Promise<boolean>
}

/**
 * Finds the passages of the project's documents for a question, and lists them on standard error with their tokens and price before
 * anything is sent.
 *
 * @returns the IDs of the passages to send; none without an agreement
 */
export async function choosePassages(
  client: ContractClient,
  { projectId, model, text }: ProjectQuestion,
  { yes, ask }: Agreement,
): Promise<string[]> {
  // A question without words finds nothing.
  const found = text.trim() === '' ? [] : await client.knowledge.find({ projectId, query: text })
  if (found.length === 0) return []
  process.stderr.write(`${found.map(lineOf).join('')}${await summaryOf(client, found, model)}\n`)
  if (yes) return found.map(({ id }) => id)
  if (ask && (await ask('Send these passages with the question?'))) return found.map(({ id }) => id)
  process.stderr.write(
    ask
      ? 'The passages aren’t sent.\n'
      : 'The passages aren’t sent, because there is no terminal to ask in. To send them, use --yes.\n',
  )
  return []
}

function lineOf({ document, place, text }: FoundPassage, index: number): string {
  const excerpt = text.replaceAll(/\s+/g, ' ').slice(0, 100).toWellFormed()
  return (
    terminalSafe(`[${String(index + 1)}] ${document}, ${placeOf(place)}: ${excerpt}`).replaceAll('\n', ' ') +
    '\n'
  )
}

function placeOf({ page, heading, line }: PassagePlace): string {
  const at = page === undefined ? `line ${String(line)}` : `page ${String(page)}`
  return heading === undefined ? at : `“${heading}”, ${at}`
}

/** The price of reading them once, if it's listed. */
async function summaryOf(
  { models }: ContractClient,
  found: readonly FoundPassage[],
  model: string,
): Promise<string> {
  const tokens = passageTokens(found)
  const input = (await models.list()).find(({ id }) => id === model)?.inputPerMillion
  const price =
    input === undefined || input.startsWith('-')
      ? 'price unknown'
      : formatUsd(tokenCost(tokens, input).toString(), 'en', { style: 'brief', round: 'nearest' })
  return `${counted(found.length, 'passage', 'passages')}, about ${String(tokens)} tokens, ${price}.`
}
