import type { ChatRequest, FunctionTool } from './request.ts'

interface DictatedCall {
  readonly tool: FunctionTool
  readonly argumentsJson: string
}

/** Room for the scripts that people write, and no more work than that for a hostile prompt. */
const mostCalls = 20

/**
 * The calls that a prompt dictates literally: `call get_weather with {"city":"Oslo"}`. No model decides
 * here, so a script states the choice of a model. Several calls are parallel.
 */
export function dictatedCalls(
  { tools, parallel_tool_calls: parallel }: ChatRequest,
  prompt: string,
): DictatedCall[] {
  const calls: DictatedCall[] = []
  if (!tools?.length) return calls
  for (const match of prompt.matchAll(/\bcall\s+`?([\w-]{1,128})`?\s+with\s+(?=\{)/gi)) {
    const tool = tools.find((one) => one.function.name === match[1])
    const argumentsJson = objectAt(prompt, match.index + match[0].length)
    if (tool && argumentsJson !== undefined) calls.push({ tool, argumentsJson })
    if (calls.length === (parallel === false ? 1 : mostCalls)) break
  }
  return calls
}

/** The JSON object that begins at `start`, as it was written. */
function objectAt(text: string, start: number): string | undefined {
  let depth = 0
  let quoted = false
  for (let at = start; at < text.length; at += 1) {
    const letter = text[at]
    if (letter === '\\' && quoted) at += 1
    else if (letter === '"') quoted = !quoted
    else if (!quoted && letter === '{') depth += 1
    else if (!quoted && letter === '}' && (depth -= 1) === 0) {
      const json = text.slice(start, at + 1)
      return isJson(json) ? json : undefined
    }
  }
  return undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
