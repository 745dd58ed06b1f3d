import { describeAttachment } from './attachments.ts'
import { Chance } from '../random.ts'
import { dictatedCalls } from './dictated.ts'
import { plausibleValue } from './json-value.ts'
import {
  code,
  list,
  paragraph,
  pickHeadings,
  quotation,
  table,
  type Section,
  type Subject,
  keywords,
  shortened,
  topicOf,
} from './prose.ts'
import { attachmentsOf, lastOf, textOf, type ChatRequest, type FunctionTool } from './request.ts'
import { linkTo, searchResults } from './web-search.ts'

/** The complete answer: text, or tool calls. */
export type Answer =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'tool-calls'
      readonly calls: readonly {
        readonly id: string
        readonly name: string
        readonly argumentsJson: string
      }[]
    }

/** Composes an answer that depends only on the request. @param modelName shown in it */
export function composeAnswer(request: ChatRequest, modelName: string): Answer {
  const prompt = textOf(lastOf(request, 'user') ?? { role: 'user' })
  const chance = new Chance(`${request.model}\n${request.messages.length}\n${prompt}`)
  const wanted = wantedCalls(request, prompt, chance)
  if (wanted.length > 0)
    return {
      kind: 'tool-calls',
      calls: wanted.map(({ tool, argumentsJson }) => ({
        id: `call_${chance.hex(12)}`,
        name: tool.function.name,
        argumentsJson,
      })),
    }
  return { kind: 'text', text: composeText(request, prompt, modelName, chance) }
}

/** Agents offer their tools with the request for a summary, too, because the service then has its beginning in a cache. They forbid their use in words. */
const FORBIDS_CALLS = /\bdo(?: not|n['’]t) call (?:any )?tools?\b/i

/** The calls that the prompt dictates, or a call of the required tool. */
function wantedCalls(
  request: ChatRequest,
  prompt: string,
  chance: Chance,
): { readonly tool: FunctionTool; readonly argumentsJson: string }[] {
  if (FORBIDS_CALLS.test(prompt) && !isForced(request)) return []
  const dictated = mayCall(request) ? dictatedCalls(request, prompt) : []
  if (dictated.length > 0) return dictated
  const tool = wantedTool(request, prompt)
  if (!tool) return []
  const value = plausibleValue(
    tool.function.parameters ?? { type: 'object', properties: {} },
    tool.function.name,
    prompt,
    chance,
  )
  return [{ tool, argumentsJson: JSON.stringify(value) }]
}

function isForced({ tool_choice: choice }: ChatRequest): boolean {
  return choice === 'required' || (typeof choice === 'object' && choice !== null)
}

function mayCall(request: ChatRequest): boolean {
  return request.tool_choice !== 'none' && request.messages.at(-1)?.role !== 'tool'
}

/** The tool that the caller forces, or that the prompt asks for. A tool's own answer is answered in words. */
function wantedTool(request: ChatRequest, prompt: string): FunctionTool | undefined {
  const { tools, tool_choice: choice } = request
  if (!tools?.length || !mayCall(request)) return undefined
  if (typeof choice === 'object' && choice !== null)
    return tools.find((tool) => tool.function.name === choice.function.name)
  const named = tools.find((tool) => asksFor(tool, prompt))
  if (named || choice === 'required') return named ?? tools[0]
  return /\b(?:use|call|invoke|run)\b[^.?!]*\b(?:tool|function)/i.test(prompt) ? tools[0] : undefined
}

const verbs = new Set([
  'call',
  'fetch',
  'find',
  'from',
  'list',
  'lookup',
  'make',
  'query',
  'read',
  'search',
  'tool',
  'with',
  'write',
])

/**
 * Whether a significant word of the tool's name is in the prompt: `get_weather` for a question about the
 * weather.
 */
function asksFor(tool: FunctionTool, prompt: string): boolean {
  const parts = tool.function.name
    .split(/[^a-zA-Z0-9]+|(?<=[a-z])(?=[A-Z])/)
    .map((part) => part.toLowerCase())
  const lower = prompt.toLowerCase()
  return (
    lower.includes(tool.function.name.toLowerCase()) ||
    parts.some((part) => part.length > 3 && !verbs.has(part) && lower.includes(part))
  )
}

function composeText(request: ChatRequest, prompt: string, modelName: string, chance: Chance): string {
  const format = request.response_format
  if (format?.type === 'json_schema')
    return JSON.stringify(plausibleValue(format.json_schema.schema, 'answer', prompt, chance), undefined, 2)
  if (format?.type === 'json_object')
    return JSON.stringify(
      { sandbox: true, topic: topicOf(prompt), words: keywords(prompt).slice(0, 5) },
      undefined,
      2,
    )
  const last = request.messages.at(-1)
  if (last?.role === 'tool') return afterTool(textOf(last), prompt, modelName)
  const terms = keywords(prompt)
  const subject: Subject = { prompt, terms, topic: topicOf(prompt, terms) }
  const sections = [
    opening(modelName, chance),
    ...attachments(request),
    ...webSearch(request),
    ...earlier(request),
  ]
  if (/^\W*(?:hi|hello|hey|hallo|ciao|good (?:morning|evening|day))\b/i.test(prompt) && prompt.length < 40) {
    return [
      ...sections,
      'Hello! Ask for a list, a table, code, or a comparison to see how such replies look. For a long reply, name a number of words.',
    ].join('\n\n')
  }
  return [...sections, quotation(subject), ...body(subject, chance), closing(chance)].join('\n\n')
}

function afterTool(result: string, prompt: string, modelName: string): string {
  return `The tool returned this result. A real model would now explain it, but **${modelName}** is simulated.\n\n\`\`\`\n${shortened(result, 400)}\n\`\`\`\n\nYour question was about *${topicOf(prompt)}*.`
}

function opening(modelName: string, chance: Chance): string {
  return chance.pick([
    `This is **${modelName}**, a simulated model. No real model is running, and this reply is assembled from your own words.`,
    `You are chatting with the Sotto sandbox, which simulates **${modelName}**. Only the way your message was sent is real.`,
    `**${modelName}** is a simulated model of the Sotto sandbox. It turns your words into a sample reply.`,
  ])
}

function attachments(request: ChatRequest): string[] {
  const parts = attachmentsOf(lastOf(request, 'user') ?? { role: 'user' })
  return parts.length === 0
    ? []
    : [`Your message included:\n\n${parts.map((part) => `- ${describeAttachment(part)}`).join('\n')}`]
}

function webSearch(request: ChatRequest): string[] {
  const found = searchResults(request)
  return found.length === 0
    ? []
    : [
        `A simulated web search returned ${found.length} results, all of them invented:\n\n${found.map((result, at) => `${at + 1}. ${linkTo(result)}`).join('\n')}`,
      ]
}

function earlier(request: ChatRequest): string[] {
  const asked = request.messages.filter((message) => message.role === 'user')
  const before = asked.at(-2)
  return before
    ? [
        `This is message ${asked.length} of our chat. Before it, you asked about *${topicOf(textOf(before))}*.`,
      ]
    : []
}

/** What the prompt asks for comes first; two or three sections, or as many as fill the number of words asked for. */
function body(subject: Subject, chance: Chance): string[] {
  const asked: Section[] = []
  if (
    /\b(?:code|function|script|program|regex|python|sql|bash|shell|rust|typescript|javascript|implement)\b/i.test(
      subject.prompt,
    )
  )
    asked.push(code)
  if (/\b(?:table|compare|comparison|versus|vs|difference|better)\b/i.test(subject.prompt)) asked.push(table)
  if (/\b(?:list|steps?|ideas?|plan|how)\b/i.test(subject.prompt)) asked.push(list)
  const others: readonly [Section, ...Section[]] = [list, table, code]
  const kinds = asked.length > 0 ? asked : [chance.pick(others)]
  const [inShort = '', ...headings] = pickHeadings(kinds.length + 1, subject, chance)
  const sections = [
    `## ${inShort}\n\n${paragraph(subject, chance)}`,
    ...kinds.map((kind, index) => `### ${headings[index] ?? 'More'}\n\n${kind(subject, chance)}`),
  ]
  return lengthen(sections, subject, chance)
}

const longest = 20_000

function lengthen(sections: string[], subject: Subject, chance: Chance): string[] {
  const wanted = Math.min(Number(/\b(\d{2,6})[ -]words?\b/i.exec(subject.prompt)?.[1] ?? 0), longest)
  if (wanted === 0) return sections
  for (let written = wordsIn(sections.join(' ')), part = 1; written < wanted; part += 1) {
    const section = `### Part ${part}\n\n${paragraph(subject, chance)}\n\n${chance.pick<Section>([list, paragraph, table])(subject, chance)}`
    sections.push(section)
    written += wordsIn(section)
  }
  return sections
}

function wordsIn(text: string): number {
  return text.split(/\s+/).length
}

function closing(chance: Chance): string {
  return chance.pick([
    'To get replies from a real model, connect a service.',
    'The sandbox always gives the same reply to the same message.',
    'The tokens above were charged to your demo balance. No real money was spent.',
  ])
}
