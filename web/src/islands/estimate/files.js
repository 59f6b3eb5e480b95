// Files chosen or dropped under the model's name. The module that reads them is loaded when the
// first one is chosen; nothing of a file goes anywhere else.

/**
 * Takes files from now on. `address` is that of the module, without its endings. `told` hears how
 * far it is: 0 no file, 1 the names of those being read, 2 what is wrong, 3 the model as bytes.
 */
export function watch(address, told) {
  const input = document.getElementById("model-file");
  const zone = input?.closest(".drop");
  if (!zone) return;
  let reader;
  let turn = 0;
  const load = async () => {
    const module = await import(`${address}.js`);
    await module.default({ module_or_path: `${address}_bg.wasm` });
    return module;
  };
  const read = async (list) => {
    const files = [...list];
    if (!files.length) return;
    const mine = ++turn;
    told(1, files.map((file) => file.name).join(", "));
    let heard;
    try {
      reader ??= load();
      const module = await reader.catch((problem) => {
        reader = undefined;
        throw problem;
      });
      heard = [3, await module.read(files)];
    } catch (problem) {
      // What is wrong with a file is said in words; all else is that the module isn't there.
      heard = [2, typeof problem === "string" ? problem : undefined];
    }
    if (mine === turn) told(...heard);
  };
  const over = (here) => (event) => {
    event.preventDefault();
    zone.classList.toggle("over", here);
  };
  zone.addEventListener("dragover", over(true));
  zone.addEventListener("dragleave", over(false));
  zone.addEventListener("drop", (event) => {
    over(false)(event);
    input.value = "";
    read(event.dataTransfer.files);
  });
  input.addEventListener("change", () => read(input.files));
  zone.addEventListener("click", (event) => {
    if (!event.target.closest("button")) return;
    input.value = "";
    turn += 1;
    told(0);
  });
  input.disabled = false;
}
