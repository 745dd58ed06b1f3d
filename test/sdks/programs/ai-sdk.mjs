import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { embedMany, generateText, isStepCount, jsonSchema, Output, streamText, tool } from 'ai'
import {
  baseUrl,
  city,
  embeddingModel,
  getWeather,
  key,
  model,
  question,
  report,
  toolRequest,
  way,
} from './task.mjs'

const options = { baseURL: baseUrl, apiKey: key }
/** The default of @ai-sdk/openai is the Responses API, with answers that the service stores. */
const provider = {
  openai: createOpenAI,
  anthropic: createAnthropic,
  compatible: (options) =>
    createOpenAICompatible({ name: 'sotto', supportsStructuredOutputs: true, ...options }),
}[way](options)

const whole = await generateText({ model: provider(model), prompt: question })
const stream = streamText({ model: provider(model), prompt: question })
let streamed = ''
for await (const text of stream.textStream) streamed += text

const tools = {
  get_weather: tool({ description: 'Weather of a city', inputSchema: jsonSchema(city), execute: getWeather }),
}
const first = await generateText({
  model: provider(model),
  tools,
  stopWhen: isStepCount(4),
  prompt: toolRequest,
})
const history = [
  { role: 'user', content: toolRequest },
  ...first.response.messages,
  { role: 'user', content: question },
]
const second = await generateText({ model: provider(model), tools, messages: history })

const structured = await generateText({
  model: provider(model),
  prompt: question,
  output: Output.object({ schema: jsonSchema(city) }),
})
const vectors =
  way === 'anthropic'
    ? undefined
    : (
        await embedMany({
          model:
            way === 'openai' ? provider.embedding(embeddingModel) : provider.embeddingModel(embeddingModel),
          values: ['a', 'b'],
        })
      ).embeddings.map((vector) => vector.length)
report({
  whole: whole.text,
  streamed,
  afterTool: first.text,
  secondTurn: second.text,
  structured: structured.output,
  vectors,
})
