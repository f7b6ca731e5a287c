// Passes events from plugins that run inside an agent to webtmux; the same message as report.pl.
// Never throws, never waits: an agent must not notice whether webtmux is there.
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const PAYLOAD_LIMIT = 1 << 20;
const SOCKETS = 8;
const ANCESTORS = 16;
const SEND_MILLISECONDS = 5000; // nothing waits for it; a busy agent may connect late
const here = dirname(fileURLToPath(import.meta.url));

function ancestors() {
	const pids = [];
	let pid = process.pid;
	while (pid > 1 && pids.length < ANCESTORS) {
		pids.push(pid);
		try {
			const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
			pid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
		} catch {
			break;
		}
	}
	return pids.join(" ");
}

function shorter(path) {
	const other = relative(process.cwd(), path);
	return other.length < path.length ? other : path;
}

export function send(runtime, event, payload) {
	try {
		// Each event has a connection of its own, and a later one may arrive first.
		const webtmuxSentAt = performance.timeOrigin + performance.now();
		const body = JSON.stringify({ ...payload, webtmuxSentAt }) ?? "{}";
		const { TMUX_PANE = "", TMUX = "" } = process.env;
		const text = body.length > PAYLOAD_LIMIT ? "" : body;
		const message = ["webtmux-hook-1", runtime, event, TMUX_PANE, TMUX, ancestors(), text].join("\0");
		const names = readdirSync(here).filter((name) => name.endsWith(".sock"));
		for (const name of names.slice(0, SOCKETS)) {
			const socket = connect(shorter(join(here, name)));
			socket.on("error", () => socket.destroy());
			socket.setTimeout(SEND_MILLISECONDS, () => socket.destroy());
			socket.unref();
			socket.end(message);
		}
	} catch {
		// The agent goes on without us.
	}
}
