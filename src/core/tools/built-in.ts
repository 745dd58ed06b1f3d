import { createHash } from 'node:crypto'
import type { BuiltInTool } from '../../shared/tool-call.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import type { Fetch } from '../../shared/fetch.ts'
import { z } from 'zod'
import { calculate } from './calculator.ts'
import { fetchPage, publicAddress } from './fetch-page.ts'
import { failedResult, textResult, type ToolResult } from './tool-result.ts'

/** A function of a built-in tool as it's offered to a model. */
export interface ToolFunction {
  readonly functionName: string
  readonly description: string
  readonly parameters: JsonObject
}

/** A built-in tool with one function, which needs only its arguments. */
export type SimpleTool = Exclude<BuiltInTool, 'project-files' | 'web-search' | 'make-image'>

export const simpleTools: Readonly<Record<SimpleTool, ToolFunction>> = {
  clock: {
    functionName: 'clock',
    description: 'The current date, time and time zone of the person’s computer.',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  },
  calculator: {
    functionName: 'calculator',
    description:
      'Calculates with numbers: + - * / % ^, parentheses, pi, e, and sqrt, abs, round, floor, ceil, ln, log, exp, sin, cos, tan, min, max.',
    parameters: {
      type: 'object',
      properties: { expression: { type: 'string', description: 'Such as (3 + 4) * 2 ^ 3' } },
      required: ['expression'],
      additionalProperties: false,
    },
  },
  'fetch-url': {
    functionName: 'fetch_url',
    description: 'Loads one web page or file by its https address. The person is asked first.',
    parameters: {
      type: 'object',
      properties: { url: { type: 'string' } },
      required: ['url'],
      additionalProperties: false,
    },
  },
}

/** SHA-256 (hex) of the definition of a built-in tool. */
export function digestOfFunction(definition: ToolFunction): string {
  return createHash('sha256').update(JSON.stringify(definition)).digest('hex')
}

const expressionSchema = z.object({ expression: z.string().max(1000) })
const addressSchema = z.object({ url: z.string().max(2000) })

/** The host that the call sends a request to; undefined if its address is refused. */
export function hostOfFetch(args: JsonObject): string | undefined {
  const { data } = addressSchema.safeParse(args)
  return data && publicAddress(data.url)?.host
}

/** Runs a built-in tool. A wrong argument is a failed result, which the model gets. */
export async function runSimpleTool(
  name: SimpleTool,
  args: JsonObject,
  { fetch, now, signal }: { readonly fetch: Fetch; readonly now: () => number; readonly signal: AbortSignal },
): Promise<ToolResult> {
  switch (name) {
    case 'clock': {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      const local = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long' }).format(now())
      return textResult(`${new Date(now()).toISOString()}\n${local} (${timeZone})`)
    }
    case 'calculator': {
      const { data } = expressionSchema.safeParse(args)
      const value = data && calculate(data.expression)
      return value === undefined
        ? failedResult('The expression can’t be calculated.')
        : textResult(String(value))
    }
    case 'fetch-url': {
      const { data } = addressSchema.safeParse(args)
      const address = data && publicAddress(data.url)
      return address
        ? fetchPage(fetch, address, signal)
        : failedResult('Only public https addresses can be loaded.')
    }
  }
}
