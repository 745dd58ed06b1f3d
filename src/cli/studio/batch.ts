import { cellForms, type JobAsk } from '../../shared/job-ask.ts'
import type { CsvTable } from '../../shared/job-rows.ts'
import { CommandFailure } from '../client.ts'
import { estimateJson } from '../json-amounts.ts'
import { jsonLine } from '../json-output.ts'
import { failure } from '../with-client.ts'
import { atStudio, unusable, type Studio } from './at-studio.ts'
import type { BatchOptions } from './data-command.ts'
import { endpointAt, inputOf } from './data.ts'
import { uploadShown } from './given-image.ts'
import { makeJob } from './make-job.ts'
import { resultForm, savedOf } from './save-files.ts'
import { estimateWords } from './labels.ts'

type BatchAsk = Extract<JobAsk, { kind: 'batch' }>

/** `sotto data PATH --batch`: one call for each row of a CSV file. Returns the exit code. */
export function runBatch(
  path: string | undefined,
  fields: readonly string[],
  options: BatchOptions,
): Promise<number> {
  const { dryRun, json, out, format } = options
  if (dryRun)
    return atStudio(json, async (studio) =>
      tellCost(studio, await batchAsk(studio, path, fields, options), json),
    )
  return makeJob(options, {
    kinds: ['batch'],
    check: () => void resultForm('batch', { format, out }),
    ask: (studio) => batchAsk(studio, path, fields, options),
    saved: (studio, job) => savedOf(studio, job, { format, out }),
  })
}

async function batchAsk(
  studio: Studio,
  path: string | undefined,
  fields: readonly string[],
  options: BatchOptions,
): Promise<BatchAsk> {
  const { batch, map, header, delimiter, concurrency = 2, maxCost, input, method } = options
  const {
    connection: { client },
    interrupts: { asked },
  } = studio
  if (batch === undefined) throw unusable('The CSV file is missing.', 'Name it with --batch <file.csv>.')
  if (path === undefined)
    throw unusable('The path of the lookup is missing.', 'To list paths with prices, run "sotto data".')
  if (!map) throw unusable('No column is mapped to a field.', 'Map one with --map field=column.')
  const endpoint = await endpointAt(client, path, method, asked)
  const { uploadId } = await uploadShown(studio, batch)
  const read = { header, ...(delimiter !== undefined && { delimiter }) }
  const table = await client.studio.table({ file: { uploadId }, ...read }, { signal: asked })
  const same = inputOf(fields, input)
  return {
    kind: 'batch',
    ...endpoint,
    file: { uploadId },
    ...read,
    concurrency,
    columns: Object.fromEntries(
      Object.entries(map).map(([field, column]) => [field, columnOf(table, column)]),
    ),
    ...(Object.keys(same).length > 0 && { input: same }),
    ...(maxCost !== undefined && { most: maxCost }),
  }
}

/** Finds a column by its name, or by its number from 1. A suffix such as `:number` converts its cells. */
export function columnOf(
  { columns }: Pick<CsvTable, 'columns'>,
  named: string,
): { column: number; as: (typeof cellForms)[number] } {
  const whole = placeOf(columns, named)
  if (whole !== undefined) return { column: whole, as: 'text' }
  const [, name = '', form] = /^(.*):(\w+)$/s.exec(named) ?? []
  const as = cellForms.find((each) => each === form)
  const column = as === undefined ? undefined : placeOf(columns, name)
  if (as === undefined || column === undefined)
    throw unusable(
      `The table has no column “${named}”.`,
      `Use one of ${columns
        .slice(0, 20)
        .map((each) => `“${each}”`)
        .join(', ')}${columns.length > 20 ? ', or another column' : ''}.`,
    )
  return { column, as }
}

function placeOf(columns: readonly string[], name: string): number | undefined {
  const at = columns.indexOf(name)
  if (at >= 0) return at
  const number = /^\d{1,5}$/.test(name) ? Number(name) : 0
  return number >= 1 && number <= columns.length ? number - 1 : undefined
}

/** `--dry-run`: sends nothing. Returns exit code 1 if the batch may cost more than --max-cost, or if its cost is unknown. */
async function tellCost(
  { connection: { client }, interrupts, progress }: Studio,
  ask: BatchAsk,
  json: boolean,
): Promise<number> {
  const estimate = await client.studio.estimate({ ask }, { signal: interrupts.asked })
  progress.end()
  const { cost } = estimate
  const refused =
    ask.most === undefined
      ? undefined
      : !cost
        ? failure('studio/price-unknown')
        : BigInt(cost.most) > BigInt(ask.most)
          ? failure('studio/above-cap')
          : undefined
  if (json) process.stdout.write(`${jsonLine({ estimate: estimateJson(estimate) }, refused)}\n`)
  else process.stdout.write(`${estimateWords(estimate)} Nothing was sent.\n`)
  if (refused && !json) throw new CommandFailure(refused)
  return refused ? 1 : 0
}
