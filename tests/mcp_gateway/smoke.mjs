// The document's own program, with the address from the command line.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const transport = new StreamableHTTPClientTransport(new URL(process.argv[2]));
const client = new Client({ name: "smoke-test", version: "0.0.1" }, { capabilities: {} });
await client.connect(transport);

console.log(JSON.stringify(await client.listTools()));
console.log(JSON.stringify(await client.callTool({ name: "list_windows", arguments: {} })));
await client.close();
