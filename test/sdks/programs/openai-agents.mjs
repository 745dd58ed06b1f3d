import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import { baseUrl, city, getWeather, key, model, question, report, toolRequest, way } from './task.mjs'

// Traces go to OpenAI, which has no account here.
setTracingDisabled(true)
const runner = new Runner({
  modelProvider: new OpenAIProvider({ apiKey: key, baseURL: baseUrl, useResponses: way === 'responses' }),
  tracingDisabled: true,
})
const weather = tool({
  name: 'get_weather',
  description: 'Weather of a city',
  parameters: city,
  strict: true,
  execute: getWeather,
})
const agent = new Agent({ name: 'Assistant', instructions: 'Be brief.', model, tools: [weather] })

const whole = await runner.run(agent, question)
const stream = await runner.run(agent, question, { stream: true })
let streamed = ''
for await (const text of stream.toTextStream({ compatibleWithNodeStreams: false })) streamed += text
const first = await runner.run(agent, toolRequest)
const again =
  way === 'responses'
    ? await runner.run(agent, question, { previousResponseId: first.lastResponseId })
    : await runner.run(agent, [...first.history, { role: 'user', content: question }])
report({ whole: whole.finalOutput, streamed, afterTool: first.finalOutput, secondTurn: again.finalOutput })
