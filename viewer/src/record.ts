// Pictures and films of what is shown, saved by the browser.
import { muxWebm, type Chunk } from './webm';

function save(blob: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** The canvas must have been drawn in this very task. */
export function savePicture(canvas: HTMLCanvasElement, name: string): Promise<void> {
  return new Promise((done, failed) => canvas.toBlob((blob) => {
    if (!blob) return failed(new Error('the browser made no picture'));
    save(blob, name);
    done();
  }, 'image/png'));
}

export interface Film {
  canvas: HTMLCanvasElement;
  count: number;
  perSecond: number;
  name: string;
  prepare: (i: number) => Promise<void>; // fetches all that frame i needs
  draw: () => void; // on the canvas, now; called once before its size is asked for
  isStopped: () => boolean;
}

const CODECS: [string, string][] = [['vp09.00.51.08', 'V_VP9'], ['vp8', 'V_VP8']];

async function findEncoder(width: number, height: number, framerate: number) {
  if (!('VideoEncoder' in window)) return undefined;
  for (const [codec, name] of CODECS) {
    const config: VideoEncoderConfig = { codec, width, height, framerate, bitrate: 12e6 };
    if ((await VideoEncoder.isConfigSupported(config).catch(() => null))?.supported) return { config, name };
  }
  return undefined;
}

/** Every frame is a picture of the film, at exactly its time. False where the browser can only record by the clock: the film then runs
 *  as fast as this machine drew it. */
export async function saveMovie(film: Film): Promise<boolean> {
  film.draw();
  // Codecs halve colours: sides are even.
  const width = Math.max(2, film.canvas.width & ~1), height = Math.max(2, film.canvas.height & ~1);
  const found = await findEncoder(width, height, film.perSecond);
  if (found) await encodeMovie(film, width, height, found.config, found.name);
  else await recordMovie(film);
  return found !== undefined;
}

async function encodeMovie(film: Film, width: number, height: number, config: VideoEncoderConfig, codec: string) {
  const chunks: Chunk[] = [], step = 1000 / film.perSecond;
  let trouble: Error | undefined;
  const encoder = new VideoEncoder({ error: (error) => (trouble = error), output: (chunk) => {
    const data = new Uint8Array(chunk.byteLength);
    chunk.copyTo(data);
    chunks.push({ data, time: Math.round(chunk.timestamp / 1000), key: chunk.type === 'key' });
  } });
  encoder.configure(config);
  for (let i = 0; i < film.count && !film.isStopped(); i++) {
    await film.prepare(i);
    film.draw();
    const picture = new VideoFrame(film.canvas, { timestamp: Math.round(1000 * step * i), duration: Math.round(1000 * step), visibleRect: { x: 0, y: 0, width, height } });
    encoder.encode(picture, { keyFrame: i % 100 === 0 });
    picture.close();
    while (encoder.encodeQueueSize > 2 && !trouble) await new Promise((done) => setTimeout(done, 5));
    if (trouble) throw trouble;
  }
  await encoder.flush();
  encoder.close();
  save(muxWebm(chunks, codec, width, height, film.perSecond), `${film.name}.webm`);
}

/** Browsers without VideoEncoder record by the clock. */
async function recordMovie(film: Film): Promise<void> {
  const type = ['video/webm;codecs=vp9', 'video/webm', 'video/mp4'].find((t) => window.MediaRecorder?.isTypeSupported(t));
  if (!type) throw new Error('this browser records no films');
  const stream = film.canvas.captureStream(0);
  const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 12e6 });
  const parts: Blob[] = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  const ended = new Promise((done) => (recorder.onstop = done));
  recorder.start();
  for (let i = 0; i < film.count && !film.isStopped(); i++) {
    await film.prepare(i);
    film.draw();
    track.requestFrame();
    await new Promise((done) => setTimeout(done, 1000 / film.perSecond));
  }
  recorder.stop();
  await ended;
  stream.getTracks().forEach((t) => t.stop());
  save(new Blob(parts, { type }), `${film.name}.${type.includes('mp4') ? 'mp4' : 'webm'}`);
}
