// Search of a site that is opened from disk: browsers then neither fetch the index nor start a worker. The index comes as a script, and the
// worker runs in a hidden frame. Loaded before the theme's own script (scripts/docs puts it there); does nothing on a server.
if (location.protocol === "file:") {
  document.write(`<script src="${new URL("../search/search_index.js", document.currentScript.src)}"></script>`);
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.body.appendChild(Object.assign(document.createElement("iframe"), { hidden: true })).contentWindow;
      this.frame.postMessage = (data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      };
      this.ready = new Promise((done) => {
        const script = Object.assign(this.frame.document.createElement("script"), { src: address, onload: done });
        this.frame.document.body.appendChild(script);
      });
    }
    postMessage(data) {
      this.ready.then(() => this.frame.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {}
  };
}
