import { t } from '@lingui/core/macro'
import { contextOf, originOf, outputOf, type ToolFacts } from '../../../../shared/tools/facts.ts'
import { codePointString, jsonString, shellWord } from '../../../../shared/tools/quote.ts'
import type { ToolSettings } from './tool.ts'

const kind = 'Command line and libraries'
const QUESTION = 'Say hello.'

export const libraries: readonly ToolSettings[] = [
  {
    id: 'curl',
    kind,
    dialect: 'chat',
    settings: (facts) => [{ place: t`In a terminal`, text: curl(facts) }],
    get notes() {
      return [t`-i shows the response headers, which report what happened to the request.`]
    },
  },
  {
    id: 'openai-python',
    kind,
    dialect: 'chat',
    settings: (facts) => [{ place: t`Python with the openai package`, text: openaiPython(facts) }],
  },
  {
    id: 'openai-javascript',
    kind,
    dialect: 'chat',
    settings: (facts) => [{ place: t`JavaScript with the openai package`, text: openaiJavascript(facts) }],
  },
  {
    id: 'anthropic-python',
    kind,
    dialect: 'messages',
    settings: (facts) => [{ place: t`Python with the anthropic package`, text: anthropicPython(facts) }],
    get notes() {
      return [t`The URL has no /v1 because the package adds it.`]
    },
  },
  {
    id: 'anthropic-typescript',
    kind,
    dialect: 'messages',
    settings: (facts) => [
      { place: t`TypeScript with the @anthropic-ai/sdk package`, text: anthropicTypescript(facts) },
    ],
    get notes() {
      return [t`The URL has no /v1 because the package adds it.`]
    },
  },
  {
    id: 'langchain',
    kind,
    dialect: 'chat',
    settings: (facts) => [{ place: t`Python with the langchain-openai package`, text: langchain(facts) }],
  },
  {
    id: 'ai-sdk',
    kind,
    dialect: 'chat',
    settings: (facts) => [
      { place: t`TypeScript with the ai and @ai-sdk/openai-compatible packages`, text: aiSdk(facts) },
    ],
  },
  {
    id: 'openai-agents',
    kind,
    dialect: 'chat',
    settings: (facts) => [{ place: t`Python with the openai-agents package`, text: openaiAgents(facts) }],
    get notes() {
      return [t`Tracing is off because it would send prompts to OpenAI.`]
    },
  },
  {
    id: 'llamaindex',
    kind,
    dialect: 'chat',
    settings: (facts) => [
      { place: t`Python with the llama-index-llms-openai-like package`, text: llamaIndex(facts) },
    ],
  },
  {
    id: 'environment',
    kind,
    dialect: 'chat',
    settings: (facts) => [
      {
        place: t`In a form for an OpenAI-compatible service`,
        fields: [
          { name: t`Base URL`, value: facts.baseUrl },
          { name: t`Key`, value: facts.key },
          { name: t`Model`, value: facts.model },
        ],
      },
      { place: t`As environment variables, for tools that read them`, text: environment(facts) },
    ],
    get notes() {
      return [t`Tools without a base URL setting can’t use Sotto.`]
    },
  },
]

function curl({ baseUrl, key, model }: ToolFacts): string {
  const body = `{"model": ${jsonString(model)}, "messages": [{"role": "user", "content": ${jsonString(QUESTION)}}]}`
  return `curl -i ${shellWord(`${baseUrl}/chat/completions`)} \\
  -H ${shellWord(`Authorization: Bearer ${key}`)} \\
  -H 'Content-Type: application/json' \\
  -d ${shellWord(body)}`
}

function openaiPython({ baseUrl, key, model }: ToolFacts): string {
  return `from openai import OpenAI

client = OpenAI(base_url=${codePointString(baseUrl)}, api_key=${codePointString(key)})
answer = client.chat.completions.create(
    model=${codePointString(model)},
    messages=[{"role": "user", "content": "${QUESTION}"}],
)
print(answer.choices[0].message.content)`
}

function openaiJavascript({ baseUrl, key, model }: ToolFacts): string {
  return `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: ${jsonString(baseUrl)}, apiKey: ${jsonString(key)} })
const answer = await client.chat.completions.create({
  model: ${jsonString(model)},
  messages: [{ role: 'user', content: '${QUESTION}' }],
})
console.log(answer.choices[0].message.content)`
}

function anthropicPython({ baseUrl, key, model }: ToolFacts): string {
  return `from anthropic import Anthropic

client = Anthropic(base_url=${codePointString(originOf(baseUrl))}, api_key=${codePointString(key)})
message = client.messages.create(
    model=${codePointString(model)},
    max_tokens=1024,
    messages=[{"role": "user", "content": "${QUESTION}"}],
)
print(message.content[0].text)`
}

function anthropicTypescript({ baseUrl, key, model }: ToolFacts): string {
  return `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: ${jsonString(originOf(baseUrl))}, apiKey: ${jsonString(key)} })
const message = await client.messages.create({
  model: ${jsonString(model)},
  max_tokens: 1024,
  messages: [{ role: 'user', content: '${QUESTION}' }],
})
console.log(message.content)`
}

function langchain({ baseUrl, key, model }: ToolFacts): string {
  return `from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    base_url=${codePointString(baseUrl)},
    api_key=${codePointString(key)},
    model=${codePointString(model)},
)
print(model.invoke("${QUESTION}").content)`
}

function aiSdk({ baseUrl, key, model }: ToolFacts): string {
  return `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'

const sotto = createOpenAICompatible({
  name: 'sotto',
  baseURL: ${jsonString(baseUrl)},
  apiKey: ${jsonString(key)},
  includeUsage: true,
  supportsStructuredOutputs: true,
})
const { text } = await generateText({
  model: sotto.chatModel(${jsonString(model)}),
  prompt: '${QUESTION}',
})
console.log(text)`
}

function openaiAgents({ baseUrl, key, model }: ToolFacts): string {
  return `from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from openai import AsyncOpenAI

set_tracing_disabled(True)
client = AsyncOpenAI(base_url=${codePointString(baseUrl)}, api_key=${codePointString(key)})
agent = Agent(
    name="Assistant",
    instructions="Answer briefly.",
    model=OpenAIChatCompletionsModel(model=${codePointString(model)}, openai_client=client),
)
print(Runner.run_sync(agent, "${QUESTION}").final_output)`
}

function llamaIndex(facts: ToolFacts): string {
  return `from llama_index.llms.openai_like import OpenAILike

llm = OpenAILike(
    api_base=${codePointString(facts.baseUrl)},
    api_key=${codePointString(facts.key)},
    model=${codePointString(facts.model)},
    context_window=${String(contextOf(facts))},
    max_tokens=${String(outputOf(facts))},
    is_chat_model=True,
    is_function_calling_model=True,
)
print(llm.complete("${QUESTION}"))`
}

function environment({ baseUrl, key, model }: ToolFacts): string {
  return `export OPENAI_BASE_URL=${shellWord(baseUrl)}
export OPENAI_API_BASE=${shellWord(baseUrl)}
export OPENAI_API_KEY=${shellWord(key)}
export OPENAI_MODEL=${shellWord(model)}`
}
